#!/usr/bin/env python3
"""A second verifier of Witan bundles, following spec/ledger.md (sections 1 to 7 and 9 to 10).

It covers the ledger layer: form, hashes, chains, signatures, keys, payloads, artifacts, erasures, forks, checkpoints,
surplus and trust. It does not replay protocols other than the registry's: whether an act was allowed, and whether a claim
has its evidence, only a verifier that knows the protocol can say.

    verify.py BUNDLE [--trust KEY-ID]    prints "ok" or "fail: why"; exit code 0 or 3
"""
import base64
import hashlib
import json
import re
import sys

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey


class Bad(Exception):
    """The bundle fails; the message says why."""


def need(holds, why):
    if not holds:
        raise Bad(why)


def sha(*parts):
    return hashlib.sha256(b''.join(parts)).digest()


# --- 1: values ------------------------------------------------------------------------------------------------------

SAFE = 2**53 - 1
HASH = re.compile(r'[0-9a-f]{64}')
HEX = re.compile(r'([0-9a-f]{2})*')
FORMS = {
    'protocol': re.compile(r'[a-z][a-z0-9-]{0,31}/[1-9][0-9]{0,3}'),
    'trace': re.compile(r'[0-7][0-9A-HJKMNP-TV-Z]{25}'),
    'at': re.compile(r'[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]\.[0-9]{3}Z'),
    'type': re.compile(r'[a-z][a-z0-9_]{0,63}'),
    'agent': re.compile(r'[A-Za-z0-9][A-Za-z0-9._@-]{0,63}'),
    'role': re.compile(r'[a-z][a-z0-9_-]{0,31}'),
}


def fits(form, value):
    return isinstance(value, str) and FORMS[form].fullmatch(value) is not None


def is_hash(value):
    return isinstance(value, str) and HASH.fullmatch(value) is not None


def is_count(value):
    return isinstance(value, float) and value.is_integer() and 0 <= value <= SAFE


def number_text(value):
    """A double as ECMAScript writes it."""
    if value == 0:
        return '0'
    sign, value = ('-', -value) if value < 0 else ('', value)
    mantissa, _, power = repr(value).partition('e')
    whole, _, fraction = mantissa.partition('.')
    fraction = '' if fraction == '0' else fraction
    digits = (whole + fraction).lstrip('0')
    point = len(whole) + int(power or 0) - (len(whole + fraction) - len(digits))
    digits = digits.rstrip('0')
    count = len(digits)
    if count <= point <= 21:
        return sign + digits + '0' * (point - count)
    if 0 < point <= 21:
        return sign + digits[:point] + '.' + digits[point:]
    if -6 < point <= 0:
        return sign + '0.' + '0' * -point + digits
    exponent = ('+' if point > 0 else '-') + str(abs(point - 1))
    return sign + digits[0] + ('.' + digits[1:] if count > 1 else '') + 'e' + exponent


ESCAPES = {'"': '\\"', '\\': '\\\\', '\b': '\\b', '\f': '\\f', '\n': '\\n', '\r': '\\r', '\t': '\\t'}


def string_text(text):
    return '"' + ''.join(ESCAPES.get(c) or (c if c >= ' ' else '\\u%04x' % ord(c)) for c in text) + '"'


def canonical_text(value, depth=0):
    if value is None or value is True or value is False:
        return {None: 'null', True: 'true', False: 'false'}[value]
    if isinstance(value, float):
        return number_text(value)
    if isinstance(value, str):
        return string_text(value)
    need(depth < 256, 'containers are nested too deeply')
    if isinstance(value, list):
        return '[' + ','.join(canonical_text(item, depth + 1) for item in value) + ']'
    names = sorted(value, key=lambda name: name.encode('utf-16-be', 'surrogatepass'))
    return '{' + ','.join(string_text(name) + ':' + canonical_text(value[name], depth + 1) for name in names) + '}'


def not_a_number(_):
    raise Bad('not JSON')


def read_canonical(data):
    """The value of canonical JSON, with every number a double; anything else is refused."""
    try:
        text = data.decode('utf-8')
        value = json.loads(text, parse_int=float, parse_constant=not_a_number)
        need(canonical_text(value) == text, 'not in canonical form')
    except (ValueError, RecursionError, OverflowError) as error:
        raise Bad('not canonical JSON') from error
    return value


def members(value, names):
    return isinstance(value, dict) and set(value) == set(names.split())


# --- 3: signatures --------------------------------------------------------------------------------------------------

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
LOW = {0, 1, P - 1} | {
    int.from_bytes(bytes.fromhex(y), 'little')
    for y in (
        '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
        'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
    )
}


def y_of(point):
    return int.from_bytes(point, 'little') & (2**255 - 1)


def admissible_key(key):
    return len(key) == 32 and y_of(key) < P and y_of(key) not in LOW


def signed_by(key, message, signature):
    if len(signature) != 64 or not admissible_key(key):
        return False
    point, scalar = signature[:32], int.from_bytes(signature[32:], 'little')
    if y_of(point) >= P or scalar >= L or (point[31] >= 0x80 and y_of(point) in (1, P - 1)):
        return False
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, message)
        return True
    except (InvalidSignature, ValueError):
        return False


def event_message(header):
    return b'DSSEv1 35 application/vnd.witan.event.v1+json %d ' % len(header) + header


# --- 2: events ------------------------------------------------------------------------------------------------------


class Event:
    def __init__(self, line, section, index):
        need(members(line, 'event hash payload proof salt signature'), 'not an event')
        need(isinstance(line['event'], str) and is_hash(line['hash']), 'not an event')
        need(is_hashes(line['proof']), 'not a proof')
        for name in ('salt', 'signature'):
            hexed = isinstance(line[name], str) and HEX.fullmatch(line[name])
            need(hexed or (name == 'salt' and line[name] is None), 'not in hex')
        need(line['payload'] is None or isinstance(line['payload'], str), 'not a payload')
        self.bytes = line['event'].encode('utf-8')
        self.hash, self.proof = line['hash'], [bytes.fromhex(one) for one in line['proof']]
        self.signature = bytes.fromhex(line['signature'])
        self.salt = None if line['salt'] is None else bytes.fromhex(line['salt'])
        self.payload_bytes = None if line['payload'] is None else line['payload'].encode('utf-8')
        # What cannot be read is remembered as a fault and raised when the event is inspected.
        self.header, self.payload, self.fault = None, None, None
        try:
            self.header = read_header(self.bytes)
        except Bad as fault:
            self.fault = str(fault)
        if self.payload_bytes is not None:
            try:
                self.payload = read_payload(self.payload_bytes)
            except Bad as fault:
                self.fault = self.fault or str(fault)
        self.seq = int(self.header['seq']) if self.header else index
        self.id = '%s/%d' % (section, self.seq)
        self.type = self.header['type'] if self.header else None


def is_hashes(value):
    return isinstance(value, list) and all(is_hash(one) for one in value)


def read_header(data):
    header = read_canonical(data)
    need(members(header, 'actor at payload_hash prev protocol registry seq trace type v'), 'not a header')
    need(members(header['actor'], 'agent key role') and members(header['registry'], 'hash size'), 'not a header')
    need(header['v'] == 1 and isinstance(header['v'], float), 'v is not 1')
    need(all(fits(name, header[name]) for name in ('protocol', 'trace', 'at', 'type')), 'a member is malformed')
    need(fits('agent', header['actor']['agent']) and fits('role', header['actor']['role']), 'actor is malformed')
    hashes = (header['actor']['key'], header['prev'], header['payload_hash'], header['registry']['hash'])
    need(all(is_hash(one) for one in hashes), 'a hash is malformed')
    need(is_count(header['seq']) and is_count(header['registry']['size']), 'a count is malformed')
    return header


def unsafe(value):
    if isinstance(value, float):
        return value.is_integer() and abs(value) > SAFE
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return any(unsafe(one) for one in inner)


def read_payload(data):
    need(len(data) <= 1 << 20, 'the payload is too large')
    payload = read_canonical(data)
    need(isinstance(payload, dict) and not unsafe(payload), 'not a payload')
    named = payload.get('artifacts', [])
    need(isinstance(named, list), 'artifacts is not a list')
    for one in named:
        sound = isinstance(one, dict) and is_hash(one.get('hash')) and is_count(one.get('size'))
        need(sound and all(isinstance(one.get(name), str) for name in ('name', 'media_type')), 'artifacts is malformed')
    return payload


# --- 4: the registry ------------------------------------------------------------------------------------------------

KEY_EVENTS = ('registry_opened', 'key_registered', 'key_rotated', 'key_revoked')


def is_text(value):
    return isinstance(value, str) and value != ''


def is_binding(key):
    return (
        isinstance(key, dict)
        and is_hash(key.get('id'))
        and is_hash(key.get('public_key'))
        and fits('agent', key.get('agent'))
        and isinstance(key.get('roles'), list)
        and len(key['roles']) > 0
        and all(fits('role', role) for role in key['roles'])
    )


def is_head(head):
    return isinstance(head, dict) and fits('trace', head.get('trace')) and is_count(head.get('size')) and is_hash(head.get('hash'))


def is_shaped(kind, p):
    """Whether a payload has the shape that its type asks for; members that are not named are allowed."""
    get = p.get
    if kind == 'registry_opened':
        return is_text(get('name')) and is_binding(get('key'))
    if kind == 'key_registered':
        return is_binding(get('key'))
    if kind == 'key_rotated':
        return is_hash(get('old')) and is_binding(get('key'))
    if kind == 'key_revoked':
        heads, since = get('heads'), get('compromised_since', '')
        listed = isinstance(heads, list) and all(is_head(one) for one in heads)
        bounded = since is None or is_count(since)
        return is_hash(get('key')) and is_text(get('reason')) and listed and bounded and get('retired', True) is True
    if kind == 'redaction_recorded':
        if not (is_text(get('by')) and is_text(get('reason')) and fits('trace', get('trace'))):
            return False
        seq, artifact = get('seq', ''), get('artifact', '')
        return artifact is None if is_count(seq) else seq is None and is_hash(artifact)
    return kind == 'checkpoint_recorded' and fits('trace', get('trace')) and is_count(get('size')) and is_text(get('note'))


class Registry:
    def __init__(self):
        self.trace, self.registrars, self.keys = None, [], {}
        self.erased, self.checkpoints = set(), []

    def fold(self, event):
        p, seq = event.payload, event.seq
        if p is None or event.header is None or not is_shaped(event.type, p):
            return
        if event.type in KEY_EVENTS and event.type != 'key_revoked':
            key = {**p['key'], 'registered': seq, 'rotated': None, 'ends': []}
            self.keys[key['id']] = key
            if event.type == 'registry_opened':
                self.trace, self.registrars = event.header['trace'], [key['id']]
            if event.type == 'key_rotated':
                if p['old'] in self.keys:
                    self.keys[p['old']] = {**self.keys[p['old']], 'rotated': seq}
                if self.registrars[-1:] == [p['old']]:
                    self.registrars = self.registrars + [key['id']]
        elif event.type == 'key_revoked':
            if p['key'] in self.keys:
                key = self.keys[p['key']]
                end = {'seq': seq, 'heads': p['heads'], 'since': p['compromised_since'], 'retired': p.get('retired') is True}
                self.keys[p['key']] = {**key, 'ends': [end] + key['ends']}
        elif event.type == 'redaction_recorded':
            self.erased.add(p['artifact'] or '%s/%d' % (p['trace'], p['seq']))
        else:
            self.checkpoints.append({'seq': seq, 'trace': p['trace'], 'size': p['size'], 'note': p['note']})

    def admit(self, event):
        """Refuses what the rules of the registry do not allow at this point."""
        p, kind = event.payload, event.type
        need(p is not None and is_shaped(kind, p), 'not an event of the registry')
        need(event.header['actor']['role'] == 'registrar', 'only the registrar writes to the registry')
        need((kind == 'registry_opened') == (self.trace is None), 'the registry is opened once, first')
        signer = self.registrars[-1] if self.registrars else p['key']['id']
        need(event.header['actor']['key'] == signer, 'signed by a key that is not the registrar now')
        if kind == 'key_revoked':
            self.admit_end(p, event.seq)
        elif kind in KEY_EVENTS:
            self.admit_key(kind, p)
        elif kind == 'redaction_recorded':
            need(p['trace'] != self.trace, 'nothing in the registry can be erased')
        else:
            note = Note(p['note'])
            same = (note.registry, note.trace, note.size) == (self.trace, p['trace'], p['size'])
            need(same, 'the note is no checkpoint of that trace and size')

    def admit_end(self, p, seq):
        key = self.keys.get(p['key'])
        need(key, 'a key that was never registered cannot be revoked')
        retired, since = p.get('retired') is True, p['compromised_since']
        need(not retired or key['rotated'] is not None, 'only a key that was rotated out is retired')
        if key['ends']:
            last = key['ends'][0]
            bound = last['seq'] if last['since'] is None else last['since']
            need(not retired and (last['retired'] or (since is not None and since < bound)), 'revoked already')
        need(self.registrars[-1:] != [key['id']], 'the registrar must rotate its key before revoking it')
        need(since is None or since <= seq, 'compromised_since lies in the future')

    def admit_key(self, kind, p):
        key = p['key']
        raw = bytes.fromhex(key['public_key'])
        need(admissible_key(raw) and sha(raw).hex() == key['id'], 'not an acceptable key')
        need(key['id'] not in self.keys, 'the key is registered already')
        is_registrar = 'registrar' in key['roles']
        if kind == 'key_registered':
            need(not is_registrar, 'there is one registrar')
        elif kind == 'registry_opened':
            need(is_registrar, 'the first key must be the registrar')
        else:
            old = self.keys.get(p['old'])
            need(old and old['rotated'] is None and not old['ends'], 'only a key in force can be rotated')
            need((old['agent'], old['roles']) == (key['agent'], key['roles']), 'a rotation keeps agent and roles')

    def covered(self, trace, seq, before):
        return any(c['trace'] == trace and c['size'] > seq and c['seq'] < before for c in self.checkpoints)

    def survives(self, end, trace, seq, hash_at):
        if end['since'] is not None:
            return self.covered(trace, seq, end['since'])
        head = next((one for one in end['heads'] if one['trace'] == trace), None)
        if head is None:
            return self.covered(trace, seq, end['seq'])
        recorded = hash_at(int(head['size']) - 1)
        return seq < head['size'] and recorded in (UNKNOWN, head['hash'])

    def judge(self, header, hash_at):
        """4.2 to 4.4: whether the key counts for an event."""
        actor, position = header['actor'], header['registry']['size']
        key = self.keys.get(actor['key'])
        opens = header['trace'] == self.trace and header['seq'] == 0
        need(key and (key['registered'] < position or opens), 'the key is not in the registry by then')
        need(key['rotated'] is None or position <= key['rotated'], 'the key was rotated out')
        for end in key['ends']:
            need(self.survives(end, header['trace'], header['seq'], hash_at), 'the key was revoked')
        need(key['agent'] == actor['agent'] and actor['role'] in key['roles'], 'another agent or role')


UNKNOWN = object()

# --- 5: trees and checkpoints ---------------------------------------------------------------------------------------


def node(left, right):
    return sha(b'\1', left, right)


def root_of(leaves):
    if not leaves:
        return sha()
    while len(leaves) > 1:
        pairs = [node(leaves[i], leaves[i + 1]) for i in range(0, len(leaves) - 1, 2)]
        leaves = pairs + leaves[len(leaves) - len(leaves) % 2:]
    return leaves[0]


def includes(leaf, index, size, proof, root):
    if index >= size:
        return False
    at, last = index, size - 1
    for sibling in proof:
        if last == 0:
            return False
        if at % 2 == 1 or at == last:
            leaf = node(sibling, leaf)
            while at % 2 == 0 and at != 0:
                at, last = at >> 1, last >> 1
        else:
            leaf = node(leaf, sibling)
        at, last = at >> 1, last >> 1
    return last == 0 and leaf == root


def extends(old, new, old_root, new_root, proof):
    if old < 1 or old > new:
        return False
    if old == new:
        return not proof and old_root == new_root
    at, last = old - 1, new - 1
    while at % 2 == 1:
        at, last = at >> 1, last >> 1
    path = [old_root] + proof if at == 0 else proof
    if not path:
        return False
    older = newer = path[0]
    for sibling in path[1:]:
        if last == 0:
            return False
        if at % 2 == 1 or at == last:
            older, newer = node(sibling, older), node(sibling, newer)
            while at % 2 == 0 and at != 0:
                at, last = at >> 1, last >> 1
        else:
            newer = node(newer, sibling)
        at, last = at >> 1, last >> 1
    return last == 0 and (older, newer) == (old_root, new_root)


def base64_of(text):
    try:
        data = base64.b64decode(text, validate=True)
    except ValueError as error:
        raise Bad('not base64') from error
    need(base64.b64encode(data).decode() == text, 'not canonical base64')
    return data


def check_name(name):
    need(name and '+' not in name and not any(c.isspace() for c in name), 'not a key name')


class Note:
    """A C2SP checkpoint in a signed note, with the lines that Witan adds."""

    def __init__(self, note):
        need(len(note.encode('utf-8', 'surrogatepass')) <= 1_000_000 and note.endswith('\n'), 'not a note')
        need(not any(c < ' ' and c != '\n' for c in note), 'a control character')
        body, blank, lines = note[:-1].rpartition('\n\n')
        if not blank and note[-2:] == '\n\n':
            body, lines = note[:-2], ''
        need(blank and lines, 'no signatures')
        self.text, self.lines = body + '\n', [self.signature(line) for line in lines.split('\n')]
        origin, size, root, *extensions = (self.text[:-1].split('\n') + ['', ''])[:max(3, self.text.count('\n'))]
        need(origin and re.fullmatch('0|[1-9][0-9]{0,15}', size) and int(size) <= SAFE, 'not a checkpoint')
        need('' not in extensions, 'an empty line')
        self.size, self.root = int(size), base64_of(root)
        need(len(self.root) == 32, 'not a root')
        self.registry, slash, self.trace = origin.partition('/')
        need(fits('trace', self.registry) and fits('trace', self.trace), 'the origin is not registry/trace')
        commits = re.fullmatch('signatures ([A-Za-z0-9+/]{43}=)', extensions[0] if extensions else '')
        keys = re.fullmatch('keys (0|[1-9][0-9]{0,9}) ([A-Za-z0-9+/]{43}=)', extensions[1] if len(extensions) > 1 else '')
        need(commits and (self.registry == self.trace) == bool(keys), 'the lines of Witan are missing')
        self.signatures = commits[1]
        self.keys = (int(keys[1]), keys[2]) if keys else None

    @staticmethod
    def signature(line):
        parts = line.split(' ')
        need(len(parts) == 3 and parts[0] == '\u2014', 'not a signature line')
        check_name(parts[1])
        data = base64_of(parts[2])
        need(len(data) >= 5, 'not a signature')
        return parts[1], data[:4], data[4:]

    def signer(self, registry):
        """The registrar that signed it; None when none did."""
        for key_id in registry.registrars:
            raw = bytes.fromhex(registry.keys[key_id]['public_key'])
            key_hash = sha(self.registry.encode(), b'\n\1', raw)[:4]
            for name, claimed, signature in self.lines:
                if name == self.registry and claimed == key_hash:
                    return key_id if signed_by(raw, self.text.encode(), signature) else None
        return None


# --- 10: bundles ----------------------------------------------------------------------------------------------------


class Section:
    def __init__(self, line):
        need(members(line, 'checkpoint earlier form section trace'), 'not a section')
        need(fits('trace', line['trace']) and line['form'] in ('whole', 'sparse'), 'not a section')
        need(line['checkpoint'] is None or isinstance(line['checkpoint'], str), 'not a checkpoint')
        earlier = line['earlier']
        if earlier is not None:
            need(members(earlier, 'note proof') and isinstance(earlier['note'], str), 'not an earlier checkpoint')
            need(is_hashes(earlier['proof']), 'not a proof')
        self.trace, self.whole, self.note = line['trace'], line['form'] == 'whole', line['checkpoint']
        self.earlier, self.events, self.positions, self.prefix = earlier, [], [], False

    def protocol(self):
        return next((e.header['protocol'] for e in self.events if e.header), None)

    def hash_at(self, seq):
        if self.whole:
            if 0 <= seq < len(self.events):
                return self.events[seq].hash
            return UNKNOWN if self.prefix else None
        return next((e.hash for e in self.events if e.header and e.seq == seq), UNKNOWN)


class Bundle:
    def __init__(self, data):
        self.at, self.data = 0, data
        self.registry, self.ancestors, self.main, self.omitted, self.artifacts = None, [], None, [], {}
        first = self.object()
        need(members(first, 'content trace witan') and first['witan'] == 'bundle/1', 'not a bundle')
        need(fits('trace', first['trace']) and first['content'] in ('full', 'none'), 'not a bundle')
        self.trace, self.bare = first['trace'], first['content'] == 'none'
        while self.take(self.object()):
            pass
        need(self.at == len(data), 'something follows the end')
        need(self.main and self.main.trace == self.trace, 'the section of the trace is missing')
        self.registry = self.registry or self.main
        for section in self.ancestors:
            section.prefix = True

    def line(self):
        end = self.data.find(b'\n', self.at)
        need(end >= 0, 'the bundle ends before its end')
        start, self.at = self.at, end + 1
        return self.data[start:end]

    def object(self):
        line = self.line()
        need(len(line) <= 8 << 20, 'a line is too long')
        value = read_canonical(line)
        need(isinstance(value, dict), 'not an object')
        return value

    def take(self, line):
        """One line, in the only order there is. False at the end."""
        last = self.main or (self.ancestors[-1] if self.ancestors else self.registry)
        if 'section' in line:
            section, part = Section(line), line['section']
            need(not self.omitted and not self.artifacts and not self.main, 'a section out of place')
            need(part in ('registry', 'ancestor', 'main'), 'not a section')
            if part == 'registry':
                need(not self.registry and not self.ancestors, 'a second registry')
                self.registry = section
            elif part == 'ancestor':
                self.ancestors.append(section)
            else:
                self.main = section
        elif 'position' in line:
            need(members(line, 'hash position proof') and is_count(line['position']), 'not a position')
            need(is_hash(line['hash']) and is_hashes(line['proof']) and last, 'not a position')
            need(not last.events and not self.omitted and not self.artifacts, 'a position out of place')
            last.positions.append((int(line['position']), line['hash'], [bytes.fromhex(h) for h in line['proof']]))
        elif 'event' in line:
            need(last and not self.omitted and not self.artifacts, 'an event out of place')
            last.events.append(Event(line, last.trace, len(last.events)))
        elif 'omitted' in line:
            need(members(line, 'omitted') and is_hash(line['omitted']), 'names no artifact')
            need(self.main and not self.artifacts, 'out of place')
            self.omitted.append(line['omitted'])
        elif line.get('end') is True:
            need(members(line, 'artifacts end') and line['artifacts'] == len(self.artifacts), 'it does not end as it says')
            return False
        else:
            need(members(line, 'artifact size') and is_hash(line['artifact']) and is_count(line['size']), 'no such line')
            need(self.main and self.main.trace == self.trace, 'an artifact out of place')
            need(line['artifact'] not in self.artifacts and line['artifact'] not in self.omitted, 'an artifact twice')
            end = self.at + int(line['size'])
            need(end < len(self.data) and self.data[end:end + 1] == b'\n', 'an artifact is longer than it says')
            self.artifacts[line['artifact']] = (int(line['size']), sha(self.data[self.at:end]).hex())
            self.at = end + 1
        return True


# --- 9: verification ------------------------------------------------------------------------------------------------


class Verification:
    def __init__(self, bundle, trusted):
        self.bundle, self.trusted, self.keys = bundle, trusted, Registry()
        for event in bundle.registry.events:
            self.keys.fold(event)
        self.sections = [bundle.registry] + bundle.ancestors + ([bundle.main] if bundle.main is not bundle.registry else [])
        self.named = {
            one['hash'] for s in self.sections for e in s.events if e.payload for one in e.payload.get('artifacts', [])
        }

    def run(self):
        b = self.bundle
        registry, main = b.registry, b.main
        need(registry.events, 'the bundle holds no registry')
        need(registry.protocol() == 'registry/1', 'the registry is no registry')
        need(main.events or (not main.whole and main.earlier), 'nothing of the trace is here')
        need(main.whole or not b.ancestors, 'single events come with ancestors')
        if main is not registry or not main.whole:
            self.replay([registry], Registry())
        if (b.bare and main is not registry) or not main.whole:
            for section in self.sections[1:]:
                self.inspect_all(section)
        else:
            self.replay(b.ancestors + [main], Registry() if main.protocol() == 'registry/1' else None)
        for section in self.sections:
            self.check_section(section)
        self.check_surplus()
        self.check_trust()

    def inspect_all(self, section):
        for index in range(len(section.events)):
            self.inspect(section, index)

    def replay(self, sections, rules):
        """Events in their order: time, registry position, forks; and, in the registry, its own rules."""
        at, size, stands, parent = '', 0, True, None
        for section in sections:
            erased = self.check_parent(section, parent)
            stands, parent = stands and not erased, section
            for index, event in enumerate(section.events):
                self.inspect(section, index)
                if not stands:
                    continue
                need(event.header['at'] >= at and event.header['registry']['size'] >= size, 'time runs backwards')
                need(event.type != 'trace_forked' or event.seq == 0, 'a fork begins a trace')
                at, size = event.header['at'], event.header['registry']['size']
                if rules:
                    rules.admit(event)
                    rules.fold(event)

    def check_parent(self, section, parent):
        """True when the name of the parent was erased, so that nothing can be replayed upon it."""
        first = section.events[0] if section.events else None
        if not first or first.type != 'trace_forked':
            need(parent is None, 'it is no fork, yet comes with a parent')
            return False
        if first.payload_bytes is None and first.id in self.keys.erased:
            return True
        point = (first.payload or {}).get('parent')
        sound = isinstance(point, dict) and fits('trace', point.get('trace')) and is_count(point.get('seq')) and is_hash(point.get('hash'))
        need(sound and parent and parent.whole, 'the parent of a fork is missing')
        same = parent.trace == point['trace'] and len(parent.events) == point['seq'] + 1 and parent.events[-1].hash == point['hash']
        need(same, 'the parent of a fork is another')
        return False

    def inspect(self, section, index):
        event = section.events[index]
        need(event.fault is None, event.fault)
        header = event.header
        need(header['trace'] == section.trace and header['protocol'] == section.protocol(), 'of another trace or protocol')
        need(sha(b'\0', event.bytes).hex() == event.hash, 'the header has another hash')
        leaf = bytes.fromhex(event.hash)
        if section.whole:
            before = section.events[index - 1].hash if index else '0' * 64
            need(not event.proof and event.seq == index and header['prev'] == before, 'the chain is broken')
        else:
            earlier = section.events[index - 1] if index else None
            need(not earlier or earlier.seq < event.seq, 'single events stand in order')
            need(section.note is not None, 'no checkpoint')
            note = Note(section.note)
            need(includes(leaf, event.seq, note.size, event.proof, note.root), 'not under the checkpoint')
        key = self.keys.keys.get(header['actor']['key'])
        need(key and signed_by(bytes.fromhex(key['public_key']), event_message(event.bytes), event.signature), 'signature')
        self.check_position(section, header)
        self.keys.judge(header, section.hash_at)
        self.check_artifacts(event)
        self.check_payload(section, event)

    def check_position(self, section, header):
        registry, size, last = self.bundle.registry, int(header['registry']['size']), header['registry']['hash']
        if header['trace'] == registry.trace:
            need(size == header['seq'] and last == header['prev'], 'a registry event names its predecessor')
            if size == 0 or section is registry:
                return
        if registry.whole:
            need(0 < size <= len(registry.events) and registry.events[size - 1].hash == last, 'an unknown position')
            return
        found = next((one for one in registry.positions if one[0] == size), None)
        need(found and found[1] == last and registry.note is not None, 'an unknown position')
        note = Note(registry.note)
        need(size > 0 and includes(bytes.fromhex(last), size - 1, note.size, found[2], note.root), 'an unproven position')

    def check_artifacts(self, event):
        for one in (event.payload or {}).get('artifacts', []):
            found = self.bundle.artifacts.get(one['hash'])
            if found is None:
                need(one['hash'] in self.keys.erased or one['hash'] in self.bundle.omitted, 'an artifact is missing')
            else:
                need(found == (one['size'], one['hash']), 'an artifact holds other bytes')

    def check_payload(self, section, event):
        if self.bundle.bare and section is not self.bundle.registry:
            need(event.payload_bytes is None and event.salt is None, 'content in a bundle without content')
            return
        need((event.payload_bytes is None) == (event.salt is None), 'payload and salt are absent together')
        if event.payload_bytes is None:
            need(event.id in self.keys.erased, 'a payload is absent without a redaction')
        else:
            said = sha(event.salt, event.payload_bytes).hex()
            need(len(event.salt) == 16 and said == event.header['payload_hash'], 'another payload')

    def admitted(self, section, text):
        note = Note(text)
        need((note.registry, note.trace) == (self.bundle.registry.trace, section.trace), 'a checkpoint of another trace')
        signer = note.signer(self.keys)
        need(signer, 'a checkpoint that the registrar did not sign')
        return note, signer

    def compare(self, section, note):
        if note.size > len(section.events):
            need(section.prefix, 'the end was cut off')
            return
        first = section.events[:note.size]
        need(root_of([bytes.fromhex(e.hash) for e in first]) == note.root, 'other events than those of the checkpoint')
        signatures = root_of([sha(b'\0', e.signature) for e in first])
        need(base64.b64encode(signatures).decode() == note.signatures, 'other signatures than those of the checkpoint')

    def check_section(self, section):
        need(section.whole or section.note is not None, 'single events without a checkpoint')
        need(section.earlier is None or section.note is not None, 'an earlier checkpoint alone')
        if section.note is not None:
            note, signer = self.admitted(section, section.note)
            if section.whole:
                self.compare(section, note)
            if section.earlier:
                old, _ = self.admitted(section, section.earlier['note'])
                proof = [bytes.fromhex(one) for one in section.earlier['proof']]
                need(extends(old.size, note.size, old.root, note.root, proof), 'the earlier checkpoint is not extended')
            if section is self.bundle.registry:
                self.check_registry_note(note, signer)
            else:
                for end in self.keys.keys[signer]['ends']:
                    need(self.keys.survives(end, section.trace, note.size - 1, lambda _: UNKNOWN), 'signed by a revoked registrar')
        for key in self.keys.keys.values():
            for end in key['ends']:
                head = next((one for one in end['heads'] if one['trace'] == section.trace), None)
                if head:
                    need(section.hash_at(int(head['size']) - 1) in (UNKNOWN, head['hash']), 'not the head that a revocation recorded')
        for recorded in self.keys.checkpoints:
            if recorded['trace'] == section.trace and section.whole:
                self.compare(section, Note(recorded['note']))

    def check_registry_note(self, note, signer):
        office = [one for one in self.keys.registrars if self.keys.keys[one]['registered'] < note.size]
        need(office[-1:] == [signer], 'signed by a key that was not registrar then')
        events = self.bundle.registry.events
        hashes = [bytes.fromhex(e.hash) for e in events if e.header and e.seq < note.size and e.type in KEY_EVENTS]
        complete = (len(hashes), base64.b64encode(root_of(hashes)).decode())
        need(note.keys == complete, 'not every event about keys is here')

    def check_surplus(self):
        b = self.bundle
        registry, main, others = b.registry, b.main, self.sections[1:]
        if main.trace == registry.trace:
            need(not b.bare, 'the registry without content')
            need(main is registry or not main.whole, 'the registry twice')
        need(all(s.note is None for s in b.ancestors), 'an ancestor with a checkpoint')
        need(not any(s.whole and s.earlier for s in self.sections), 'an earlier checkpoint of a whole section')
        if b.bare:
            seen = {registry.trace, main.trace}
            for section, child in zip(b.ancestors, b.ancestors[1:] + [main]):
                fork = child.events and child.events[0].type == 'trace_forked'
                own = section.events and section.trace not in seen and section.protocol() == main.protocol()
                need(section.whole and own and fork, 'an ancestor of nothing')
                seen.add(section.trace)
        need(not any(s.positions for s in others), 'positions outside the registry')
        sizes = {int(e.header['registry']['size']) for s in others for e in s.events} if not registry.whole else set()
        before = 0
        for size, _, _ in registry.positions:
            need(size > before and size in sizes, 'a position that nothing names')
            before = size
        if registry is not main and not registry.whole:
            traces = {s.trace for s in others}
            for event in registry.events:
                if event.type in ('redaction_recorded', 'checkpoint_recorded') and event.payload:
                    artifact = event.payload.get('artifact')
                    named = isinstance(artifact, str) and (b.bare or artifact in self.named)
                    need(event.payload['trace'] in traces or named, 'a registry event that concerns nothing here')
        need(set(b.artifacts) <= self.named and set(b.omitted) <= self.named, 'an artifact that nothing names')
        need(len(set(b.omitted)) == len(b.omitted), 'an artifact left out twice')

    def check_trust(self):
        registry, last = self.bundle.registry, self.keys.registrars[-1:]
        spoke = registry.note is not None and [Note(registry.note).signer(self.keys)] == last
        if registry.whole:
            spoke = spoke or any([e.header['actor']['key']] == last for e in registry.events)
        behind = self.keys.registrars if spoke else self.keys.registrars[:-1]
        need(self.trusted is None or self.trusted in behind, 'the registry is not the one you trust')


def verify(data, trusted=None):
    """None when the bundle holds at the ledger layer; otherwise why not."""
    try:
        Verification(Bundle(data), trusted).run()
        return None
    except Bad as fault:
        return str(fault)


def main(arguments):
    if len(arguments) not in (1, 3) or (len(arguments) == 3 and arguments[1] != '--trust'):
        print(__doc__)
        return 2
    with open(arguments[0], 'rb') as file:
        why = verify(file.read(), arguments[2] if len(arguments) == 3 else None)
    print('ok' if why is None else 'fail: ' + why)
    return 0 if why is None else 3


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
