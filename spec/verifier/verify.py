#!/usr/bin/env python3
"""A second verifier of Witan bundles, after spec/ledger.md; numbers in comments are its clauses.

It covers the ledger layer: form, hashes, chains, signatures, keys, payloads, artifacts, erasures, forks, checkpoints,
surplus and trust in a key. It does not replay protocols other than the registry's: whether an act was allowed, and whether
a claim has its evidence, only a verifier that knows the protocol can say. Nor does it read what others attested (5.7).

    verify.py BUNDLE [--trust KEY-ID]    prints "ok" or "fail: why"; exit code 0 or 3
"""
import base64, hashlib, json, math, re, sys
from decimal import Decimal
from types import SimpleNamespace as Record

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

class Bad(ValueError):
    """Why the bundle fails. It holds if nothing in it is bad, so the first fault ends it."""

def need(holds, why):
    if not holds:
        raise Bad(why)

# --- shapes of values: a pattern, [items], (one or another), {exactly these members}, Open({these at least}), a test ---

class Open(dict):
    """An object with at least these members."""

def fits(shape, value):
    if isinstance(shape, str):
        return isinstance(value, str) and re.fullmatch(shape, value) is not None
    if isinstance(shape, list):
        return isinstance(value, list) and all(fits(shape[0], item) for item in value)
    if isinstance(shape, tuple):
        return any(fits(one, value) for one in shape)
    if isinstance(shape, dict):
        named = isinstance(value, dict) and shape.keys() <= value.keys()
        alone = named and (isinstance(shape, Open) or len(shape) == len(value))
        return alone and all(fits(shape[name], value[name]) for name in shape)
    return shape(value) if callable(shape) else type(value) is type(shape) and value == shape

SAFE = 2**53 - 1
TEXT, WORDS, HASH, HEX = '(?s).*', '(?s).+', '[0-9a-f]{64}', '([0-9a-f]{2})*'  # 1.1
TRACE = '[0-7][0-9A-HJKMNP-TV-Z]{25}'  # 1.2
AGENT, ROLE = '[A-Za-z0-9][A-Za-z0-9._@-]{0,63}', '[a-z][a-z0-9_-]{0,31}'
COUNT = lambda value: type(value) is int and 0 <= value <= SAFE
ROLES = lambda value: value != [] and fits([ROLE], value)
HEADER = {  # 2.2, 2.3
    'v': 1, 'protocol': '[a-z][a-z0-9-]{0,31}/[1-9][0-9]{0,3}', 'trace': TRACE, 'seq': COUNT,
    'at': r'[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3])(:[0-5][0-9]){2}\.[0-9]{3}Z',
    'type': '[a-z][a-z0-9_]{0,63}', 'actor': {'agent': AGENT, 'role': ROLE, 'key': HASH}, 'prev': HASH, 'payload_hash': HASH,
    'registry': {'size': COUNT, 'hash': HASH}}
ARTIFACTS = [Open({'hash': HASH, 'size': COUNT, 'name': TEXT, 'media_type': TEXT})]  # 2.6
BINDING = Open({'id': HASH, 'public_key': HASH, 'agent': AGENT, 'roles': ROLES})
HEAD, POINT = Open({'trace': TRACE, 'size': COUNT, 'hash': HASH}), Open({'trace': TRACE, 'seq': COUNT, 'hash': HASH})
REDACTION = {'by': WORDS, 'reason': WORDS, 'trace': TRACE}
REGISTRY = {  # 4.1
    'registry_opened': Open({'name': WORDS, 'key': BINDING}),
    'key_registered': Open({'key': BINDING}),
    'key_rotated': Open({'old': HASH, 'key': BINDING}),
    'key_revoked': Open({'key': HASH, 'reason': WORDS, 'heads': [HEAD], 'compromised_since': (None, COUNT)}),
    'redaction_recorded': (Open(REDACTION, seq=COUNT, artifact=None), Open(REDACTION, seq=None, artifact=HASH)),
    'checkpoint_recorded': Open({'trace': TRACE, 'size': COUNT, 'note': WORDS})}
KEY_EVENTS = ('registry_opened', 'key_registered', 'key_rotated', 'key_revoked')
SECTION = {'trace': TRACE, 'form': 'whole|sparse', 'checkpoint': (None, TEXT), 'earlier': (None, {'note': TEXT, 'proof': [HASH]})}
LINES = {  # 10.1, each under a letter
    'b': {'witan': 'bundle/1', 'trace': TRACE, 'content': 'full|none'},
    'r': SECTION | {'section': 'registry'}, 'a': SECTION | {'section': 'ancestor'}, 'm': SECTION | {'section': 'main'},
    'p': {'position': COUNT, 'hash': HASH, 'proof': [HASH]},
    'e': {'event': TEXT, 'hash': HASH, 'signature': HEX, 'payload': (None, TEXT), 'salt': (None, HEX), 'proof': [HASH]},
    'o': {'omitted': HASH},
    'd': {'artifact': HASH, 'size': COUNT},
    'z': {'end': True, 'artifacts': COUNT}}
ORDER = 'b(rp*e*)?(ap*e*)*mp*e*o*d*z'  # 10.7

# --- 1: hashes, base64 and canonical JSON; hashes are handled as they are written, in hex ---

def sha(*parts):
    return hashlib.sha256(b''.join(parts)).hexdigest()

def base64_bytes(written):
    data = base64.b64decode(written, validate=True)
    need(base64.b64encode(data).decode() == written, 'not canonical base64')
    return data

def number_text(value):
    """A double as ECMAScript writes it: Python has the same digits, and exponents for other sizes."""
    if abs(value) >= 1e21 or 0 < abs(value) < 1e-6:
        return re.sub(r'e([+-])0', r'e\1', repr(float(value)))
    return format(Decimal(repr(float(value))), 'f').removesuffix('.0')

def canonical_text(value, depth=0):
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return number_text(value)
    if not isinstance(value, (list, dict)):
        return json.dumps(value, ensure_ascii=False)
    need(depth < 256, 'containers are nested too deeply')
    if isinstance(value, list):
        return '[' + ','.join(canonical_text(item, depth + 1) for item in value) + ']'
    names = sorted(value, key=lambda name: name.encode('utf-16-be'))
    return '{' + ','.join(canonical_text(n) + ':' + canonical_text(value[n], depth + 1) for n in names) + '}'

def read_canonical(data, largest=math.inf):
    """The value of canonical JSON. Every number is read as a double, and is an integer if it is whole."""
    def number(text):
        value = float(text)
        need(abs(value) <= largest or not value.is_integer(), 'an integer that others would read as another')  # 1.5
        return int(value) if value.is_integer() else value
    value = json.loads(data.decode(), parse_int=number, parse_float=number)
    need(canonical_text(value) == data.decode(), 'not in canonical form')
    return value

# --- 3: signatures ---

P = 2**255 - 19
LOW_ORDER = {0, 1, P - 1} | {int.from_bytes(bytes.fromhex(y), 'little') for y in (
    '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
    'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a')}

def is_admissible(key):
    y = int.from_bytes(key, 'little') & (2**255 - 1)
    return y < P and y not in LOW_ORDER

def is_signed(key, message, signature):
    """OpenSSL itself refuses S beyond L, and R in any but its canonical encoding; of keys it takes more than 3.3 admits."""
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, message)
    except InvalidSignature:
        return False
    return is_admissible(key)

# --- 5: trees and checkpoints; a tree of n leaves splits at the largest power of two below n (RFC 6962) ---

def node(left, right):
    return sha(b'\1', bytes.fromhex(left), bytes.fromhex(right))

def split(size):
    return 1 << (size - 1).bit_length() - 1

def root_of(leaves):
    if len(leaves) < 2:
        return leaves[0] if leaves else sha()
    middle = split(len(leaves))
    return node(root_of(leaves[:middle]), root_of(leaves[middle:]))

def root_by_proof(leaf, index, size, proof):
    """The root of a tree of that size with the leaf at the index."""
    need(index < size and (size == 1) == (not proof), 'a proof of another length')
    if size == 1:
        return leaf
    middle, rest, sibling = split(size), proof[:-1], proof[-1]
    if index < middle:
        return node(root_by_proof(leaf, index, middle, rest), sibling)
    return node(sibling, root_by_proof(leaf, index - middle, size - middle, rest))

def roots_by_proof(old, new, proof, known):
    """The roots of a tree with `old` leaves and of what it grew to; `known` is the old one, while it is a subtree of both."""
    need(0 < old <= new and (old < new or known is None) == bool(proof), 'a proof of another length')
    if old == new:
        need(len(proof) < 2, 'a proof of another length')
        return (known or proof[0],) * 2
    middle, rest, sibling = split(new), proof[:-1], proof[-1]
    if old <= middle:
        before, after = roots_by_proof(old, middle, rest, known)
        return before, node(after, sibling)
    before, after = roots_by_proof(old - middle, new - middle, rest, None)
    return node(sibling, before), node(sibling, after)

class Note:
    """5.2: a C2SP checkpoint in a signed note, with the lines that Witan adds."""
    ROOT = '([A-Za-z0-9+/]{43}=)'
    FORM = (f'({TRACE})/({TRACE})\n(0|[1-9][0-9]{{0,15}})\n{ROOT}\nsignatures {ROOT}\n(?:keys (0|[1-9][0-9]{{0,9}}) {ROOT}\n)?'
            r'(?:.+\n)*\n((?:— [^\s+]+ \S+\n)+)')

    def __init__(self, note):
        found = re.fullmatch(self.FORM, note)
        need(found and len(note.encode()) <= 1_000_000 and not re.search('[\0-\x09\x0b-\x1f]', note), 'not a checkpoint')
        self.registry, self.trace, size, root, signatures, keys, keys_root, lines = found.groups()
        self.text, self.size = note[:-len(lines) - 1].encode(), int(size)
        self.root, self.signatures = base64_bytes(root).hex(), base64_bytes(signatures).hex()
        self.keys = keys and (int(keys), base64_bytes(keys_root).hex())
        need(self.size <= SAFE and (self.registry == self.trace) == bool(keys), 'not a checkpoint')
        self.lines = [(name, base64_bytes(data)) for name, data in re.findall(r'— (\S+) (\S+)\n', lines)]
        need(all(len(data) >= 5 for _, data in self.lines), 'a signature line without a signature')

    def signer(self, registry):
        """The registrar that signed it; None when none did."""
        for key_id in registry.registrars:
            key = registry.keys[key_id].public
            mark = hashlib.sha256(self.registry.encode() + b'\n\1' + key).digest()[:4]
            for name, data in self.lines:
                if name == self.registry and data[:4] == mark:
                    return key_id if is_signed(key, self.text, data[4:]) else None
        return None

# --- 2, 10: a bundle as it is read ---

class Event:
    def __init__(self, line):
        self.bytes, self.hash, self.proof = line['event'].encode(), line['hash'], line['proof']
        self.signature, self.said, self.salt = bytes.fromhex(line['signature']), line['payload'], line['salt']
        self.header = read_canonical(self.bytes)
        self.payload = {} if self.said is None else read_canonical(self.said.encode(), SAFE)
        need(fits(HEADER, self.header) and sha(b'\0', self.bytes) == self.hash, 'not a header, or not of that hash')
        need(fits(Open(), self.payload) and len((self.said or '').encode()) <= 1 << 20, 'not a payload')
        self.seq, self.type, self.artifacts = self.header['seq'], self.header['type'], self.payload.get('artifacts', [])
        need(fits(ARTIFACTS, self.artifacts), 'artifacts is malformed')

class Section:
    def __init__(self, head, *lines):
        self.kind, self.trace, self.whole, self.earlier = head['section'], head['trace'], head['form'] == 'whole', head['earlier']
        self.note = None if head['checkpoint'] is None else Note(head['checkpoint'])
        self.events = [Event(line) for line in lines if 'event' in line]
        self.protocol = self.events[0].header['protocol'] if self.events else None
        self.fork = next((event for event in self.events[:1] if event.type == 'trace_forked'), None)
        self.positions = {line['position']: line for line in lines if 'position' in line}
        need([*self.positions] == sorted(line['position'] for line in lines if 'position' in line), 'positions out of order')
        need(0 not in self.positions, 'a position that proves nothing')
        need(self.whole or self.note, 'single events without a checkpoint')
        # 10.8
        need(not self.earlier or not self.whole, 'an earlier checkpoint of a whole section')
        need(not self.note or self.kind != 'ancestor', 'an ancestor with a checkpoint')
        need(not self.positions or self.kind == 'registry' and not self.whole, 'positions outside a sparse registry')

    def proves(self, leaf, index, proof):
        return self.note and root_by_proof(leaf, index, self.note.size, proof) == self.note.root

    def stood_at(self, size, last):
        """10.2: whether that event was the last at that size."""
        if self.whole:
            return 0 < size <= len(self.events) and self.events[size - 1].hash == last
        found = self.positions.get(size)
        return found and found['hash'] == last and self.proves(last, size - 1, found['proof'])

    def extends(self, head):
        """4.3: whether it goes through a head that a revocation recorded, as far as that event is here."""
        last = head['size'] - 1
        if self.whole and not 0 <= last < len(self.events):
            return self.kind == 'ancestor'
        return all(event.hash == head['hash'] for event in self.events if event.seq == last)

class Bundle:
    def __init__(self, data):
        lines = list(self.read_lines(data))
        order = ''.join(letter for letter, _ in lines)
        need(re.fullmatch(ORDER, order), 'lines are not in their order')
        of = lambda letter: [line for found, line in lines if found == letter]
        self.trace, self.bare = of('b')[0]['trace'], of('b')[0]['content'] == 'none'
        self.sections = [Section(*(line for _, line in lines[slice(*part.span())])) for part in re.finditer('[ram][pe]*', order)]
        self.main, self.ancestors = self.sections[-1], [section for section in self.sections if section.kind == 'ancestor']
        self.registry = self.sections[0] if self.sections[0].kind == 'registry' else self.main
        self.omitted, self.artifacts = {line['omitted'] for line in of('o')}, {line['artifact']: line for line in of('d')}
        need(len(self.omitted) + len(self.artifacts) == len(of('o')) + len(of('d')), 'an artifact twice')
        need(self.omitted.isdisjoint(self.artifacts), 'an artifact that is here and left out')
        need(of('z')[0]['artifacts'] == len(self.artifacts), 'it does not end as it says')

    @staticmethod
    def read_lines(data):
        at = 0
        while at < len(data):
            end = data.find(b'\n', at)
            need(0 <= end - at <= 8 << 20, 'a line without end, or too long')
            line = read_canonical(data[at:end])
            letter = next((letter for letter, shape in LINES.items() if fits(shape, line)), None)
            need(letter, 'a line of no known shape')
            at = end + 1
            if letter == 'd':
                start, at = at, at + line['size'] + 1
                need(data[at - 1:at] == b'\n', 'an artifact is longer than it says')
                line['digest'] = sha(data[start:at - 1])
            yield letter, line

# --- 4: the registry ---

class Registry:
    """What the registry says of keys, erasures and checkpoints. Each event must be allowed where it stands."""
    def __init__(self, events):
        self.trace, self.keys, self.registrars, self.erased, self.checkpoints = None, {}, [], set(), []
        for event in events:
            p, kind, actor = event.payload, event.type, event.header['actor']
            need(kind in REGISTRY and fits(REGISTRY[kind], p), 'not an event of the registry')
            need((kind == 'registry_opened') == (self.trace is None), 'the registry is opened once, first')
            if self.trace is None:
                self.trace, self.registrars = event.header['trace'], [p['key']['id']]
            need(actor['role'] == 'registrar' and actor['key'] == self.registrars[-1], 'not by the registrar in force')
            if kind == 'key_revoked':
                self.revoke(p, event.seq)
            elif kind in KEY_EVENTS:
                self.register(kind, p, event.seq)
            elif kind == 'redaction_recorded':
                need(p['trace'] != self.trace, 'nothing in the registry can be erased')
                self.erased.add(p['artifact'] or (p['trace'], p['seq']))
            else:
                note = Note(p['note'])
                need((note.registry, note.trace, note.size) == (self.trace, p['trace'], p['size']), 'a note of something else')
                self.checkpoints.append(Record(seq=event.seq, trace=p['trace'], size=p['size'], note=note))

    def register(self, kind, p, seq):
        new, public = p['key'], bytes.fromhex(p['key']['public_key'])
        need(is_admissible(public) and sha(public) == new['id'], 'not an acceptable key')
        need(new['id'] not in self.keys, 'the key is registered already')
        if kind == 'key_rotated':
            old = self.keys.get(p['old'])
            need(old and old.rotated is None and not old.ends, 'only a key in force can be rotated')
            need((old.agent, old.roles) == (new['agent'], new['roles']), 'a rotation keeps agent and roles')
            old.rotated = seq
            if self.registrars[-1] == p['old']:
                self.registrars.append(new['id'])
        else:
            need(('registrar' in new['roles']) == (kind == 'registry_opened'), 'there is one registrar, with the first key')
        self.keys[new['id']] = Record(public=public, agent=new['agent'], roles=new['roles'], registered=seq, rotated=None, ends=[])

    def revoke(self, p, seq):
        key, since, retired = self.keys.get(p['key']), p['compromised_since'], 'retired' in p
        need(key and p['key'] != self.registrars[-1], 'a key that is not registered, or the registrar in force')
        need(not retired or p['retired'] is True and key.rotated is not None, 'only a key that was rotated out is retired')
        need(since is None or since <= seq, 'compromised_since lies in the future')
        if key.ends:  # 4.3: once more after a retirement, or since earlier
            last = key.ends[-1]
            need(not retired and (last.retired or since is not None and since < last.bound), 'revoked already')
        heads = {head['trace']: head for head in reversed(p['heads'])}
        key.ends.append(Record(since=since, bound=seq if since is None else since, retired=retired, heads=heads))

    def survives(self, key, trace, seq):
        """4.3: whether what the key signed at that place counts in spite of every end of the key."""
        def counts(end):
            if end.since is None and trace in end.heads:
                return seq < end.heads[trace]['size']
            return any(c.trace == trace and c.size > seq and c.seq < end.bound for c in self.checkpoints)
        return all(map(counts, key.ends))

# --- 9: verification ---

def check_event(bundle, registry, section, event):
    """9.2, for an event by itself."""
    header, actor, position = event.header, event.header['actor'], event.header['registry']
    need((header['trace'], header['protocol']) == (section.trace, section.protocol), 'of another trace or protocol')
    key = registry.keys.get(actor['key'])
    message = b'DSSEv1 35 application/vnd.witan.event.v1+json %d ' % len(event.bytes) + event.bytes
    need(key and is_signed(key.public, message, event.signature), 'the signature does not hold')
    own = section.trace == registry.trace
    first = own and event.seq == 0
    need(not own or (position['size'], position['hash']) == (event.seq, header['prev']), 'not at its own place in the registry')
    known = first or section is bundle.registry or bundle.registry.stood_at(position['size'], position['hash'])
    need(known, 'an unknown position')
    need(key.registered < position['size'] or first, 'the key is not in the registry by then')  # 4.2
    need(key.rotated is None or position['size'] <= key.rotated, 'the key was rotated out')
    need(registry.survives(key, section.trace, event.seq), 'the key was revoked')
    need(key.agent == actor['agent'] and actor['role'] in key.roles, 'a key of another agent or role')  # 4.4
    for one in event.artifacts:
        line, excused = bundle.artifacts.get(one['hash']), one['hash'] in registry.erased | bundle.omitted
        need((line['size'], line['digest']) == (one['size'], one['hash']) if line else excused, 'an artifact is missing or another')
    need((event.said is None) == (event.salt is None), 'payload and salt are absent together')
    if event.said is None:
        withheld = bundle.bare and section is not bundle.registry
        need(withheld or (section.trace, event.seq) in registry.erased, 'a payload is absent without a redaction')
    else:
        need(not bundle.bare or section is bundle.registry, 'content in a bundle without content')
        said = sha(bytes.fromhex(event.salt), event.said.encode())
        need(len(event.salt) == 32 and said == header['payload_hash'], 'another payload')

def check_places(section):
    """2.2, 10.2: a whole section is a chain from its first event; single events are under the checkpoint, in order."""
    before = Record(seq=-1, hash='0' * 64)
    for index, event in enumerate(section.events):
        if section.whole:
            need((event.seq, event.header['prev'], event.proof) == (index, before.hash, []), 'the chain is broken, or proven besides')
        else:
            need(before.seq < event.seq and section.proves(event.hash, event.seq, event.proof), 'not in order under the checkpoint')
        before = event

def check_checkpoints(registry, section, is_registry):
    note, old = section.note, section.earlier and Note(section.earlier['note'])
    for one in filter(None, (note, old)):
        need((one.registry, one.trace) == (registry.trace, section.trace), 'a checkpoint of another trace')
        need(one.signer(registry), 'a checkpoint that the registrar did not sign')
    if old:
        roots = roots_by_proof(old.size, note.size, section.earlier['proof'], old.root)
        need(roots == (old.root, note.root), 'the earlier checkpoint is not extended')
    if note and is_registry:  # 5.3, 5.4
        in_office = [one for one in registry.registrars if registry.keys[one].registered < note.size]
        need(in_office[-1:] == [note.signer(registry)], 'signed by a key that was not registrar then')
        hashes = [event.hash for event in section.events if event.seq < note.size and event.type in KEY_EVENTS]
        need(note.keys == (len(hashes), root_of(hashes)), 'not every event about keys is here')
    elif note:
        counts = registry.survives(registry.keys[note.signer(registry)], section.trace, note.size - 1)
        need(counts, 'signed by a revoked registrar')
    heads = [end.heads[section.trace] for key in registry.keys.values() for end in key.ends if section.trace in end.heads]
    need(all(map(section.extends, heads)), 'not the head that a revocation recorded')
    held = [one.note for one in registry.checkpoints if one.trace == section.trace] if section.whole else []
    for one in filter(None, (note if section.whole else None, *held)):
        if one.size > len(section.events):
            need(section.kind == 'ancestor', 'the end was cut off')
            continue
        first = section.events[:one.size]
        need(root_of([event.hash for event in first]) == one.root, 'other events than the checkpoint has')
        need(root_of([sha(b'\0', event.signature) for event in first]) == one.signatures, 'other signatures than the checkpoint has')

def check_order(sections):
    """Time and registry position never run backwards, and a fork goes on where its parent stood (7)."""
    at, size, parent, told = '', 0, None, True
    for section in sections:
        fork = section.fork
        need(fork or not parent, 'it is no fork, yet comes with a parent')
        told = told and not (fork and fork.said is None)  # 7.2: once erased, nothing can be held against the parent
        if fork and fork.said is not None:
            point = fork.payload.get('parent')
            need(fits(POINT, point) and parent and parent.events, 'the parent of a fork is missing')
            last = {'trace': parent.trace, 'seq': len(parent.events) - 1, 'hash': parent.events[-1].hash}
            need(point | last == point, 'the parent of a fork is another')
        parent = section
        for event in section.events if told else []:
            need(event.header['at'] >= at and event.header['registry']['size'] >= size, 'time runs backwards')
            need(event.type != 'trace_forked' or event.seq == 0, 'a fork begins a trace')
            at, size = event.header['at'], event.header['registry']['size']

def check_surplus(bundle):
    """10.8: nothing that no rule needs."""
    registry, main, others = bundle.registry, bundle.main, [one for one in bundle.sections if one is not bundle.registry]
    named = {one['hash'] for section in bundle.sections for event in section.events for one in event.artifacts}
    if main.trace == registry.trace:
        need(not bundle.bare and (main is registry or not main.whole), 'the registry without content, or twice')
    if bundle.bare:
        need(len({section.trace for section in bundle.sections}) == len(bundle.sections), 'a section twice')
        for section, child in zip(bundle.ancestors, bundle.ancestors[1:] + [main]):
            need(section.protocol == main.protocol and child.fork, 'an ancestor of nothing')
    sizes = {event.header['registry']['size'] for section in others for event in section.events}
    need(sizes.issuperset(registry.positions), 'a position that nothing names')
    if registry is not main and not registry.whole:
        traces = {section.trace for section in others}
        for event in registry.events:
            artifact = event.payload.get('artifact') if event.type == 'redaction_recorded' else None
            concerns = event.payload.get('trace') in traces or artifact and (bundle.bare or artifact in named)
            need(event.type in KEY_EVENTS or concerns, 'a registry event that concerns nothing here')
    need(named.issuperset([*bundle.artifacts, *bundle.omitted]), 'an artifact that nothing names')

def check_trust(registry, section, trusted):
    """9.7: a key that the registry names as its registrar counts once it has signed something itself."""
    signed = {event.header['actor']['key'] for event in section.events} if section.whole else set()
    if section.note:
        signed.add(section.note.signer(registry))
    behind = registry.registrars if registry.registrars[-1] in signed else registry.registrars[:-1]
    need(trusted is None or trusted in behind, 'the registry is not the one you trust')

def check(bundle, trusted):
    main = bundle.main
    need(main.trace == bundle.trace, 'the section of the trace is missing')
    need(bundle.registry.protocol == 'registry/1', 'the registry is no registry')
    need(main.events or not main.whole and main.earlier, 'nothing of the trace is here')
    need(main.whole or not bundle.ancestors, 'single events come with ancestors')
    registry = Registry(bundle.registry.events)
    for section in bundle.sections:
        check_places(section)
        for event in section.events:
            check_event(bundle, registry, section, event)
        check_checkpoints(registry, section, section is bundle.registry)
    check_order([bundle.registry])
    if main.whole and not bundle.bare:
        check_order([*bundle.ancestors, main])
        if main.protocol == 'registry/1':
            Registry(main.events)
    check_surplus(bundle)
    check_trust(registry, bundle.registry, trusted)

def verify(data, trusted=None):
    """None when the bundle holds at the ledger layer; otherwise why not."""
    try:
        check(Bundle(data), trusted)
    except (ValueError, RecursionError) as fault:
        return str(fault)

def main(arguments):
    if len(arguments) not in (1, 3) or arguments[1:2] not in ([], ['--trust']):
        print(__doc__)
        return 2
    with open(arguments[0], 'rb') as file:
        why = verify(file.read(), arguments[2] if len(arguments) == 3 else None)
    print('ok' if why is None else 'fail: ' + why)
    return 0 if why is None else 3

if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
