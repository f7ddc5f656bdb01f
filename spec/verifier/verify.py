#!/usr/bin/env python3
"""A second verifier of Witan bundles, after spec/ledger.md; numbers in comments are its clauses.

It covers the ledger layer: form, hashes, chains, signatures, keys, payloads, artifacts, erasures, forks, checkpoints,
surplus and trust in a key. It does not replay protocols other than the registry's: whether an act was allowed, and whether
a claim has its evidence, only a verifier that knows the protocol can say. Nor does it read what others attested (5.7).

    verify.py BUNDLE [--trust KEY-ID]    prints "ok" or "fail: why"; exit code 0 or 3
"""
import base64, hashlib, json, re, sys
from decimal import Decimal
from types import SimpleNamespace as Record

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

class Bad(Exception):
    """Why the bundle fails. It holds if nothing in it is bad, so the first fault ends it."""

def need(holds, why):
    if not holds:
        raise Bad(why)

def sha(*parts):
    return hashlib.sha256(b''.join(parts)).digest()

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
        open_or_full = isinstance(shape, Open) or isinstance(value, dict) and len(shape) == len(value)
        named = isinstance(value, dict) and shape.keys() <= value.keys() and open_or_full
        return named and all(fits(shape[name], value[name]) for name in shape)
    return shape(value) if callable(shape) else value is shape

def count(value):
    return isinstance(value, float) and value.is_integer() and 0 <= value <= SAFE

def some_roles(value):
    return fits([ROLE], value) and len(value) > 0

SAFE = 2**53 - 1
TEXT, WORDS, HASH, HEX = '(?s).*', '(?s).+', '[0-9a-f]{64}', '([0-9a-f]{2})*'  # 1.1
TRACE = '[0-7][0-9A-HJKMNP-TV-Z]{25}'  # 1.2
AGENT, ROLE = '[A-Za-z0-9][A-Za-z0-9._@-]{0,63}', '[a-z][a-z0-9_-]{0,31}'
HEADER = {  # 2.2, 2.3
    'v': count, 'protocol': '[a-z][a-z0-9-]{0,31}/[1-9][0-9]{0,3}', 'trace': TRACE, 'seq': count,
    'at': r'[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3])(:[0-5][0-9]){2}\.[0-9]{3}Z',
    'type': '[a-z][a-z0-9_]{0,63}', 'actor': {'agent': AGENT, 'role': ROLE, 'key': HASH}, 'prev': HASH, 'payload_hash': HASH,
    'registry': {'size': count, 'hash': HASH}}
PAYLOAD = Open()
ARTIFACTS = [Open({'hash': HASH, 'size': count, 'name': TEXT, 'media_type': TEXT})]  # 2.6
BINDING = Open({'id': HASH, 'public_key': HASH, 'agent': AGENT, 'roles': some_roles})
HEAD, POINT = Open({'trace': TRACE, 'size': count, 'hash': HASH}), Open({'trace': TRACE, 'seq': count, 'hash': HASH})
REDACTION = {'by': WORDS, 'reason': WORDS, 'trace': TRACE}
REGISTRY = {  # 4.1
    'registry_opened': Open({'name': WORDS, 'key': BINDING}),
    'key_registered': Open({'key': BINDING}),
    'key_rotated': Open({'old': HASH, 'key': BINDING}),
    'key_revoked': Open({'key': HASH, 'reason': WORDS, 'heads': [HEAD], 'compromised_since': (None, count)}),
    'redaction_recorded': (Open(REDACTION, seq=count, artifact=None), Open(REDACTION, seq=None, artifact=HASH)),
    'checkpoint_recorded': Open({'trace': TRACE, 'size': count, 'note': WORDS})}
KEY_EVENTS = ('registry_opened', 'key_registered', 'key_rotated', 'key_revoked')
LINES = {  # 10.1, each under a letter; ORDER (10.7) is a pattern of them, with a section as the first letter of its kind
    'b': {'witan': 'bundle/1', 'trace': TRACE, 'content': 'full|none'},
    's': {'section': 'registry|ancestor|main', 'trace': TRACE, 'form': 'whole|sparse', 'checkpoint': (None, TEXT),
          'earlier': (None, {'note': TEXT, 'proof': [HASH]})},
    'p': {'position': count, 'hash': HASH, 'proof': [HASH]},
    'e': {'event': TEXT, 'hash': HASH, 'signature': HEX, 'payload': (None, TEXT), 'salt': (None, HEX), 'proof': [HASH]},
    'o': {'omitted': HASH},
    'd': {'artifact': HASH, 'size': count},
    'z': {'end': True, 'artifacts': count}}
ORDER = '(b(rp*e*)?(ap*e*)*mp*e*o*d*z)'

# --- 1.4: canonical JSON ---

def number_text(value):
    """A double as ECMAScript writes it: Python has the same digits, and exponents for other sizes."""
    if value == 0 or 1e-6 <= abs(value) < 1e21:
        return re.sub(r'\.0$', '', format(Decimal(repr(value + 0.0)), 'f'))
    return re.sub(r'e([+-])0', r'e\1', repr(value))

def canonical_text(value, depth=0):
    if isinstance(value, float):
        return number_text(value)
    if not isinstance(value, (list, dict)):
        return json.dumps(value, ensure_ascii=False)
    need(depth < 256, 'containers are nested too deeply')
    if isinstance(value, list):
        return '[' + ','.join(canonical_text(item, depth + 1) for item in value) + ']'
    names = sorted(value, key=lambda name: name.encode('utf-16-be', 'surrogatepass'))
    return '{' + ','.join(canonical_text(n) + ':' + canonical_text(value[n], depth + 1) for n in names) + '}'

def read_canonical(data):
    """The value of canonical JSON, with every number a double."""
    try:
        value = json.loads(data.decode('utf-8'), parse_int=float)
        need(canonical_text(value) == data.decode('utf-8'), 'not in canonical form')
    except (ValueError, RecursionError) as error:
        raise Bad('not canonical JSON') from error
    return value

def is_safe(value):
    """1.5: no integer that another language would read as another number."""
    if isinstance(value, float):
        return abs(value) <= SAFE or not value.is_integer()
    return all(map(is_safe, value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()))

# --- 3: signatures ---

P, L = 2**255 - 19, 2**252 + 27742317777372353535851937790883648493
LOW_ORDER = {0, 1, P - 1} | {int.from_bytes(bytes.fromhex(y), 'little') for y in (
    '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
    'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a')}

def y_of(point):
    return int.from_bytes(point, 'little') & (2**255 - 1)

def is_admissible(key):
    return y_of(key) < P and y_of(key) not in LOW_ORDER

def is_signed(key, message, signature):
    y, scalar = y_of(signature[:32]), int.from_bytes(signature[32:], 'little')
    negative_zero = signature[31:32] >= b'\x80' and y in (1, P - 1)
    if len(signature) != 64 or not is_admissible(key) or y >= P or negative_zero or scalar >= L:
        return False
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True

# --- 5: trees and checkpoints; a tree of n leaves splits at the largest power of two below n (RFC 6962) ---

def node(left, right):
    return sha(b'\1', left, right)

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
    need(0 < old <= new, 'a checkpoint that is not earlier')
    if old == new:
        need(len(proof) == (0 if known else 1), 'a proof of another length')
        return (known or proof[0],) * 2
    need(proof, 'a proof of another length')
    middle, rest, sibling = split(new), proof[:-1], proof[-1]
    if old <= middle:
        before, after = roots_by_proof(old, middle, rest, known)
        return before, node(after, sibling)
    before, after = roots_by_proof(old - middle, new - middle, rest, None)
    return node(sibling, before), node(sibling, after)

def base64_bytes(written):
    try:
        data = base64.b64decode(written, validate=True)
    except ValueError as error:
        raise Bad('not base64') from error
    need(base64.b64encode(data).decode() == written, 'not canonical base64')
    return data

class Note:
    """5.2: a C2SP checkpoint in a signed note, with the lines that Witan adds."""
    FORM = ('([^/\n]+)/([^/\n]+)\n(0|[1-9][0-9]{0,15})\n(.+)\nsignatures ([A-Za-z0-9+/]{43}=)'
            '(?:\nkeys (0|[1-9][0-9]{0,9}) ([A-Za-z0-9+/]{43}=))?(?:\n.+)*')

    def __init__(self, note):
        need(len(note.encode()) <= 1_000_000 and note.endswith('\n'), 'not a note')
        need(not re.search('[\0-\x09\x0b-\x1f]', note), 'a control character in a note')
        body, blank, below = note[:-1].rpartition('\n\n')
        lines = [re.fullmatch(r'— ([^\s+]+) (\S+)', line) for line in below.split('\n')]
        need(blank and all(lines), 'a note without signature lines')
        self.text, self.lines = (body + '\n').encode(), [(line[1], base64_bytes(line[2])) for line in lines]
        need(all(len(data) >= 5 for _, data in self.lines), 'a signature line without a signature')
        found = re.fullmatch(self.FORM, body)
        need(found and fits(TRACE, found[1]) and fits(TRACE, found[2]) and int(found[3]) <= SAFE, 'not a checkpoint')
        self.registry, self.trace, self.size = found[1], found[2], int(found[3])
        self.root, self.signatures = base64_bytes(found[4]), base64_bytes(found[5])
        self.keys = found[6] and (int(found[6]), base64_bytes(found[7]))
        need(len(self.root) == 32 and (self.registry == self.trace) == bool(self.keys), 'not a checkpoint')

    def signer(self, registry):
        """The registrar that signed it; None when none did."""
        for key_id in registry.registrars:
            key = registry.keys[key_id].public
            mark = sha(self.registry.encode(), b'\n\1', key)[:4]
            for name, data in self.lines:
                if name == self.registry and data[:4] == mark:
                    return key_id if is_signed(key, self.text, data[4:]) else None
        return None

# --- 2, 10: a bundle as it is read ---

class Event:
    def __init__(self, line):
        self.bytes, self.hash, self.leaf = line['event'].encode(), line['hash'], bytes.fromhex(line['hash'])
        self.proof, self.signature = [bytes.fromhex(one) for one in line['proof']], bytes.fromhex(line['signature'])
        self.salt = None if line['salt'] is None else bytes.fromhex(line['salt'])
        self.data = None if line['payload'] is None else line['payload'].encode()
        self.header, self.payload = read_canonical(self.bytes), {} if self.data is None else read_canonical(self.data)
        need(fits(HEADER, self.header) and self.header['v'] == 1, 'not a header')
        need(sha(b'\0', self.bytes) == self.leaf, 'the header has another hash')
        need(len(self.data or b'') <= 1 << 20 and fits(PAYLOAD, self.payload) and is_safe(self.payload), 'not a payload')
        self.seq, self.type, self.artifacts = int(self.header['seq']), self.header['type'], self.payload.get('artifacts', [])
        need(fits(ARTIFACTS, self.artifacts), 'artifacts is malformed')

class Section:
    def __init__(self, line):
        self.kind, self.trace, self.whole = line['section'], line['trace'], line['form'] == 'whole'
        self.note = None if line['checkpoint'] is None else Note(line['checkpoint'])
        self.earlier, self.events, self.positions = line['earlier'], [], {}
        need(self.note or not self.earlier, 'an earlier checkpoint alone')

    def protocol(self):
        return self.events[0].header['protocol'] if self.events else None

    def agrees(self, seq, wanted):
        """Whether the event at that place has the hash, or is not here to be asked."""
        if not self.whole:
            return all(event.hash == wanted for event in self.events if event.seq == seq)
        return self.events[seq].hash == wanted if 0 <= seq < len(self.events) else self.kind == 'ancestor'

class Bundle:
    def __init__(self, data):
        self.data, self.at, self.sections, self.omitted, self.artifacts = data, 0, [], [], {}
        order = ''
        while order[-1:] != 'z':
            line = self.line()
            letter = next((letter for letter, shape in LINES.items() if fits(shape, line)), None)
            need(letter, 'a line of no known shape')
            order += line['section'][0] if letter == 's' else letter
            need(order[0] == 'b' and (self.sections or letter not in 'pe'), 'a line out of place')
            self.take(letter, line)
        need(re.fullmatch(ORDER, order) and self.at == len(data), 'lines are not in their order')
        self.main = self.sections[-1]
        self.registry = self.sections[0] if self.sections[0].kind == 'registry' else self.main
        self.ancestors = [section for section in self.sections if section.kind == 'ancestor']
        need(self.main.trace == self.trace, 'the section of the trace is missing')

    def line(self):
        start, end = self.at, self.data.find(b'\n', self.at)
        need(0 <= end - start <= 8 << 20, 'a line without end, or too long')
        self.at = end + 1
        return read_canonical(self.data[start:end])

    def take(self, letter, line):
        if letter == 'b':
            self.trace, self.bare = line['trace'], line['content'] == 'none'
        elif letter == 's':
            self.sections.append(Section(line))
        elif letter == 'e':
            self.sections[-1].events.append(Event(line))
        elif letter == 'p':
            positions = self.sections[-1].positions
            need(line['position'] > max(positions, default=0), 'positions are not in ascending order')
            positions[line['position']] = line['hash'], [bytes.fromhex(one) for one in line['proof']]
        elif letter == 'o':
            self.omitted.append(line['omitted'])
        elif letter == 'd':
            need(line['artifact'] not in self.artifacts and line['artifact'] not in self.omitted, 'an artifact twice')
            start, self.at = self.at, self.at + int(line['size']) + 1
            need(self.data[self.at - 1:self.at] == b'\n', 'an artifact is longer than it says')
            self.artifacts[line['artifact']] = line['size'], sha(self.data[start:self.at - 1]).hex()
        else:
            need(line['artifacts'] == len(self.artifacts), 'it does not end as it says')

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
        need(is_admissible(public) and sha(public).hex() == new['id'], 'not an acceptable key')
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
            bound = last.seq if last.since is None else last.since
            need(not retired and (last.retired or (since is not None and since < bound)), 'revoked already')
        heads = {head['trace']: head for head in reversed(p['heads'])}
        key.ends.append(Record(seq=seq, since=since, retired=retired, heads=heads))

    def survives(self, key, trace, seq, agrees):
        """4.3: whether what the key signed at that place counts in spite of every end of the key."""
        for end in key.ends:
            head = end.heads.get(trace) if end.since is None else None
            bound = end.seq if end.since is None else end.since
            covered = any(c.trace == trace and c.size > seq and c.seq < bound for c in self.checkpoints)
            if not (seq < head['size'] and agrees(int(head['size']) - 1, head['hash']) if head else covered):
                return False
        return True

# --- 9: verification ---

class Verification:
    def __init__(self, data, trusted):
        self.bundle = b = Bundle(data)
        need(b.registry.events and b.registry.protocol() == 'registry/1', 'the registry is no registry')
        need(b.main.events or (not b.main.whole and b.main.earlier), 'nothing of the trace is here')
        need(b.main.whole or not b.ancestors, 'single events come with ancestors')
        self.registry = Registry(b.registry.events)
        for section in b.sections:
            self.check_events(section)
            self.check_checkpoints(section)
        self.check_order([b.registry])
        if b.main.whole and not b.bare:
            self.check_order(b.ancestors + [b.main])
            if b.main is not b.registry and b.main.protocol() == 'registry/1':
                Registry(b.main.events)
        self.check_surplus()
        self.check_trust(trusted)

    def check_events(self, section):
        """9.2, for each event by itself."""
        b, registry, before = self.bundle, self.registry, None
        for index, event in enumerate(section.events):
            header, actor, position = event.header, event.header['actor'], event.header['registry']['size']
            need(header['trace'] == section.trace and header['protocol'] == section.protocol(), 'of another trace or protocol')
            if section.whole:
                need(event.seq == index and header['prev'] == (before.hash if before else '0' * 64), 'the chain is broken')
                need(not event.proof, 'a proof in a whole section')
            else:
                need(section.note and (before is None or before.seq < event.seq), 'single events in order, under a checkpoint')
                root = root_by_proof(event.leaf, event.seq, section.note.size, event.proof)
                need(root == section.note.root, 'not under the checkpoint')
            before, key = event, registry.keys.get(actor['key'])
            message = b'DSSEv1 35 application/vnd.witan.event.v1+json %d ' % len(event.bytes) + event.bytes
            need(key and is_signed(key.public, message, event.signature), 'the signature does not hold')
            self.check_position(section, header)
            opens = header['trace'] == registry.trace and event.seq == 0
            need(key.registered < position or opens, 'the key is not in the registry by then')  # 4.2
            need(key.rotated is None or position <= key.rotated, 'the key was rotated out')
            need(registry.survives(key, header['trace'], event.seq, section.agrees), 'the key was revoked')
            need(key.agent == actor['agent'] and actor['role'] in key.roles, 'a key of another agent or role')  # 4.4
            for one in event.artifacts:
                found = b.artifacts.get(one['hash'])
                excused = one['hash'] in registry.erased or one['hash'] in b.omitted
                need(found == (one['size'], one['hash']) if found else excused, 'an artifact is missing or another')
            need((event.data is None) == (event.salt is None), 'payload and salt are absent together')
            if b.bare and section is not b.registry:
                need(event.data is None, 'content in a bundle without content')
            elif event.data is None:
                need((header['trace'], event.seq) in registry.erased, 'a payload is absent without a redaction')
            else:
                said = sha(event.salt, event.data).hex()
                need(len(event.salt) == 16 and said == header['payload_hash'], 'another payload')

    def check_position(self, section, header):
        """Which registry event was last at the size that the header names (10.2)."""
        registry, size, last = self.bundle.registry, int(header['registry']['size']), header['registry']['hash']
        if header['trace'] == registry.trace:
            need(size == header['seq'] and last == header['prev'], 'a registry event names its predecessor')
            if size == 0 or section is registry:
                return
        if registry.whole:
            need(size > 0 and registry.agrees(size - 1, last), 'an unknown position')
        else:
            found, proof = registry.positions.get(size, (None, []))
            need(size > 0 and found == last and registry.note, 'an unknown position')
            root = root_by_proof(bytes.fromhex(last), size - 1, registry.note.size, proof)
            need(root == registry.note.root, 'an unproven position')

    def signer_of(self, section, note):
        need((note.registry, note.trace) == (self.bundle.registry.trace, section.trace), 'a checkpoint of another trace')
        signer = note.signer(self.registry)
        need(signer, 'a checkpoint that the registrar did not sign')
        return signer

    def check_checkpoints(self, section):
        note, registry = section.note, self.registry
        need(section.whole or note, 'single events without a checkpoint')
        if note:
            signer = self.signer_of(section, note)
            if section.earlier:
                old, proof = Note(section.earlier['note']), [bytes.fromhex(one) for one in section.earlier['proof']]
                self.signer_of(section, old)
                roots = roots_by_proof(old.size, note.size, proof, old.root)
                need(roots == (old.root, note.root), 'the earlier checkpoint is not extended')
            if section is self.bundle.registry:  # 5.3, 5.4
                in_office = [one for one in registry.registrars if registry.keys[one].registered < note.size]
                need(in_office[-1:] == [signer], 'signed by a key that was not registrar then')
                hashes = [event.leaf for event in section.events if event.seq < note.size and event.type in KEY_EVENTS]
                need(note.keys == (len(hashes), root_of(hashes)), 'not every event about keys is here')
            else:
                counts = registry.survives(registry.keys[signer], section.trace, note.size - 1, lambda *_: True)
                need(counts, 'signed by a revoked registrar')
        for head in [end.heads.get(section.trace) for key in registry.keys.values() for end in key.ends]:
            need(not head or section.agrees(int(head['size']) - 1, head['hash']), 'not the head that a revocation recorded')
        recorded = [one.note for one in registry.checkpoints if one.trace == section.trace]
        for held in recorded + ([note] if note else []) if section.whole else []:
            first = section.events[:held.size]
            if len(first) < held.size:
                need(section.kind == 'ancestor', 'the end was cut off')
                continue
            need(root_of([event.leaf for event in first]) == held.root, 'other events than the checkpoint has')
            signatures = root_of([sha(b'\0', event.signature) for event in first])
            need(signatures == held.signatures, 'other signatures than the checkpoint has')

    @staticmethod
    def check_order(sections):
        """Time and registry position never run backwards, and a fork goes on where its parent stood (7)."""
        at, size, parent, told = '', 0, None, True
        for section in sections:
            first = section.events[0] if section.events else None
            if first is None or first.type != 'trace_forked':
                need(parent is None, 'it is no fork, yet comes with a parent')
            elif first.data is None:  # erased: nothing can be held against the parent
                told = False
            else:
                point = first.payload.get('parent')
                need(fits(POINT, point) and parent and parent.whole, 'the parent of a fork is missing')
                same = parent.trace == point['trace'] and len(parent.events) == point['seq'] + 1
                need(same and parent.events[-1].hash == point['hash'], 'the parent of a fork is another')
            parent = section
            for event in section.events if told else []:
                need(event.header['at'] >= at and event.header['registry']['size'] >= size, 'time runs backwards')
                need(event.type != 'trace_forked' or event.seq == 0, 'a fork begins a trace')
                at, size = event.header['at'], event.header['registry']['size']

    def check_surplus(self):
        """10.8: nothing that no rule needs."""
        b = self.bundle
        registry, main, others = b.registry, b.main, [section for section in b.sections if section is not b.registry]
        named = {one['hash'] for section in b.sections for event in section.events for one in event.artifacts}
        if main.trace == registry.trace:
            need(not b.bare and (main is registry or not main.whole), 'the registry without content, or twice')
        need(not any(section.note for section in b.ancestors), 'an ancestor with a checkpoint')
        need(not any(section.whole and section.earlier for section in b.sections), 'an earlier checkpoint of a whole section')
        if b.bare:
            need(len({section.trace for section in b.sections}) == len(b.sections), 'a section twice')
            for section, child in zip(b.ancestors, b.ancestors[1:] + [main]):
                fork = child.events and child.events[0].type == 'trace_forked'
                need(fork and section.whole and section.protocol() == main.protocol(), 'an ancestor of nothing')
        sizes = set() if registry.whole else {e.header['registry']['size'] for section in others for e in section.events}
        need(sizes.issuperset(registry.positions), 'a position that nothing names')
        need(not any(section.positions for section in others), 'positions outside the registry')
        if registry is not main and not registry.whole:
            traces = {section.trace for section in others}
            for event in registry.events:
                artifact = event.payload.get('artifact') if event.type == 'redaction_recorded' else None
                concerns = event.payload.get('trace') in traces or artifact and (b.bare or artifact in named)
                need(event.type in KEY_EVENTS or concerns, 'a registry event that concerns nothing here')
        need(named.issuperset([*b.artifacts, *b.omitted]), 'an artifact that nothing names')
        need(len(set(b.omitted)) == len(b.omitted), 'an artifact left out twice')

    def check_trust(self, trusted):
        """9.7: a key that the registry names as its registrar counts once it has signed something itself."""
        section, registrars = self.bundle.registry, self.registry.registrars
        signed = {event.header['actor']['key'] for event in section.events} if section.whole else set()
        if section.note:
            signed.add(section.note.signer(self.registry))
        behind = registrars if registrars[-1] in signed else registrars[:-1]
        need(trusted is None or trusted in behind, 'the registry is not the one you trust')

def verify(data, trusted=None):
    """None when the bundle holds at the ledger layer; otherwise why not."""
    try:
        Verification(data, trusted)
        return None
    except Bad as fault:
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
