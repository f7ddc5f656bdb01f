// Which system calls a sandboxed program is refused, as the filter that bubblewrap loads before the program
// starts. Namespaces do not cover these: keyrings are inherited, abstract sockets belong to the network,
// AF_VSOCK reaches the host of a virtual machine, memory of a memfd belongs to no process. The rest is
// defence in depth against the kernel.

import { endianness } from 'node:os'

/** By number: x86-64, then the generic table of 64-bit ARM. */
const NUMBERS = {
  acct: [163, 89],
  add_key: [248, 217],
  bpf: [321, 280],
  chroot: [161, 51],
  clock_settime: [227, 112],
  clone: [56, 220],
  clone3: [435, 435],
  delete_module: [176, 106],
  finit_module: [313, 273],
  fsconfig: [431, 431],
  fsmount: [432, 432],
  fsopen: [430, 430],
  fspick: [433, 433],
  init_module: [175, 105],
  io_uring_enter: [426, 426],
  io_uring_register: [427, 427],
  io_uring_setup: [425, 425],
  ioctl: [16, 29],
  kexec_file_load: [320, 294],
  kexec_load: [246, 104],
  keyctl: [250, 219],
  memfd_create: [319, 279],
  memfd_secret: [447, 447],
  mount: [165, 40],
  mount_setattr: [442, 442],
  move_mount: [429, 429],
  open_by_handle_at: [304, 265],
  open_tree: [428, 428],
  perf_event_open: [298, 241],
  pivot_root: [155, 41],
  quotactl: [179, 60],
  quotactl_fd: [443, 443],
  reboot: [169, 142],
  request_key: [249, 218],
  setns: [308, 268],
  settimeofday: [164, 170],
  shmget: [29, 194],
  socket: [41, 198],
  swapoff: [168, 225],
  swapon: [167, 224],
  syslog: [103, 116],
  umount2: [166, 39],
  unshare: [272, 97],
  userfaultfd: [323, 282],
} as const satisfies Readonly<Record<string, readonly [number, number]>>

type Call = keyof typeof NUMBERS

const REFUSED: readonly Call[] = [
  ...(['add_key', 'keyctl', 'request_key'] as const),
  ...(['mount', 'umount2', 'pivot_root', 'move_mount', 'open_tree', 'mount_setattr'] as const),
  ...(['fsopen', 'fsconfig', 'fsmount', 'fspick', 'open_by_handle_at', 'chroot', 'setns'] as const),
  ...(['init_module', 'finit_module', 'delete_module', 'kexec_load', 'kexec_file_load'] as const),
  ...(['bpf', 'perf_event_open', 'userfaultfd', 'syslog', 'acct', 'quotactl', 'quotactl_fd'] as const),
  ...(['reboot', 'swapon', 'swapoff', 'settimeofday', 'clock_settime'] as const),
]

/** Programs fall back to another way when the kernel does not know these. A filter cannot see their arguments. */
const UNKNOWN: readonly Call[] = ['clone3', 'io_uring_setup', 'io_uring_enter', 'io_uring_register']

const EPERM = 1
const EINVAL = 22
const ENOSYS = 38
const EAFNOSUPPORT = 97
const NEW_NAMESPACES = 0x7e020000
const NEW_TIME = 0x80
/** Both write into a terminal as if its user had typed. */
const TIOCSTI = 0x5412
const TIOCLINUX = 0x541c
const [AF_UNIX, AF_INET, AF_INET6, AF_NETLINK] = [1, 2, 10, 16]
/** A database requests a page; 4,096 segments of this size are the maximum. */
const LARGEST_SEGMENT = 64 << 10
/** Numbers from here on are the x32 table. */
const X32 = 0x40000000

const LOAD = 0x20
const [EQUAL, GREATER, ANY_BIT] = [0x15, 0x25, 0x45]
const RETURN = 0x06
const ALLOW = 0x7fff0000
const failing = (errno: number): number => 0x00050000 | errno

type Instruction = readonly [code: number, yes: number, no: number, value: number]

const load = (offset: number): Instruction => [LOAD, 0, 0, offset]
const finish = (value: number): Instruction => [RETURN, 0, 0, value]
/** The low half of an argument: all that flags, domains and requests use. */
const argument = (at: number): Instruction => load(16 + 8 * at)
const upperHalf = (at: number): Instruction => load(20 + 8 * at)

/** `rule` decides, or falls through to what follows it. */
function about(number: number, rule: readonly Instruction[]): Instruction[] {
  return [[EQUAL, 0, rule.length + 1, number], ...rule, load(0)]
}

const when = (test: number, value: number, errno: number): Instruction[] => [
  [test, 0, 1, value],
  finish(failing(errno)),
]

export interface FilterOptions {
  /** The network of the machine is shared, and with it all abstract sockets. */
  readonly network: boolean
  /** Memory that belongs to no process is counted elsewhere. */
  readonly memoryCounted: boolean
}

const MACHINES: Partial<Record<NodeJS.Architecture, { readonly audit: number; readonly table: 0 | 1 }>> = {
  x64: { audit: 0xc000003e, table: 0 },
  arm64: { audit: 0xc00000b7, table: 1 },
}

/** Null on a processor with an unknown table. */
export function seccompFilter(
  { network, memoryCounted }: FilterOptions,
  architecture: NodeJS.Architecture = process.arch,
): Buffer | null {
  const machine = MACHINES[architecture]
  if (machine === undefined || endianness() !== 'LE') return null
  const { audit, table } = machine
  const number = (call: Call): number => NUMBERS[call][table]
  const domains = [AF_INET, AF_INET6, AF_NETLINK, ...(network ? [] : [AF_UNIX])]
  const program: Instruction[] = [
    load(4),
    [EQUAL, 1, 0, audit],
    finish(failing(ENOSYS)),
    load(0),
    ...(table === 0 ? when(GREATER, X32 - 1, ENOSYS) : []),
    ...REFUSED.flatMap((call) => when(EQUAL, number(call), EPERM)),
    ...UNKNOWN.flatMap((call) => when(EQUAL, number(call), ENOSYS)),
    ...about(number('clone'), [argument(0), ...when(ANY_BIT, NEW_NAMESPACES, EPERM)]),
    ...about(number('unshare'), [argument(0), ...when(ANY_BIT, NEW_NAMESPACES | NEW_TIME, EPERM)]),
    ...about(number('ioctl'), [
      argument(1),
      ...when(EQUAL, TIOCSTI, EPERM),
      ...when(EQUAL, TIOCLINUX, EPERM),
    ]),
    ...about(number('socket'), [
      argument(0),
      ...domains.map((domain, at): Instruction => [EQUAL, domains.length - at, 0, domain]),
      finish(failing(EAFNOSUPPORT)),
    ]),
    ...(memoryCounted
      ? []
      : [
          ...when(EQUAL, number('memfd_create'), EPERM),
          ...when(EQUAL, number('memfd_secret'), EPERM),
          ...about(number('shmget'), [
            upperHalf(1),
            ...when(GREATER, 0, EINVAL),
            argument(1),
            ...when(GREATER, LARGEST_SEGMENT, EINVAL),
          ]),
        ]),
    finish(ALLOW),
  ]
  const bytes = Buffer.alloc(program.length * 8)
  for (const [at, [code, yes, no, value]] of program.entries()) {
    bytes.writeUInt16LE(code, at * 8)
    bytes.writeUInt8(yes, at * 8 + 2)
    bytes.writeUInt8(no, at * 8 + 3)
    bytes.writeUInt32LE(value >>> 0, at * 8 + 4)
  }
  return bytes
}
