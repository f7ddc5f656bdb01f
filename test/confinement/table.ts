// Every way out of a sandbox that we know, as a script that tries it. `refused` runs a command and says HELD when it
// fails and ESCAPED when it does not; what says neither was not tried. A try that succeeds must do no harm: switches of
// the kernel are opened and not written, the clock is set to what it says. Variables: SECRET, a file outside; PLAIN, a
// second granted folder without a repository; OUTSIDE, a process outside; PORT, SOCKET, ABSTRACT, where it listens.

export interface Escape {
  readonly name: string
  readonly script: string
  /** The call itself is refused, because of what it left behind. */
  readonly swept?: boolean
  readonly network?: boolean
}

export const PRELUDE = `
refused() {
  command -v "$1" >/dev/null || { echo "MISSING: $1"; return; }
  if "$@" >/dev/null 2>&1; then echo "ESCAPED: $*"; else echo HELD; fi
}
called() {
  perl -e "$1" >/dev/null 2>&1
  case $? in 0) echo "ESCAPED: $1" ;; 1) echo HELD ;; *) echo "MISSING: perl cannot run $1" ;; esac
}
opened() { refused sh -c ': >> "$1"' sh "$1"; }
write() { refused sh -c 'echo evil > "$1"' sh "$1"; }
`

const x64 = process.arch === 'x64'
/** A system call by its number on x86-64 and on ARM; it has not escaped when the kernel refuses. */
const call = (numbers: readonly [number, number], args: string): string =>
  `called 'my @given = (${args}); exit(syscall(${x64 ? numbers[0] : numbers[1]}, @given) < 0 ? 1 : 0)'`

const each = (prefix: string, words: string): string =>
  words
    .split(' ')
    .map((word) => `${prefix} ${word}`)
    .join('; ')

const PATHS: readonly Escape[] = [
  { name: 'a path outside', script: 'refused cat "$SECRET"; refused ls /root; refused cat /etc/shadow' },
  { name: 'a symbolic link', script: 'ln -s "$SECRET" way-out; refused cat way-out; rm way-out' },
  {
    name: 'the root of another process',
    script: each('refused ls', '/proc/1/root/var /proc/self/cwd/../../var'),
  },
  {
    name: 'programs of the system',
    script: each('write', '/usr/bin/evil /bin/sh /etc/evil /evil /lib/evil'),
  },
  {
    name: 'a hard link to a file outside',
    script: 'refused ln "$SECRET" linked; refused ln /usr/bin/env linked',
  },
]

const KERNEL: readonly Escape[] = [
  {
    name: 'switches of the kernel',
    script: each(
      'opened',
      '/proc/sys/kernel/core_pattern /proc/sys/kernel/modprobe /proc/sys/vm/drop_caches /proc/sys/kernel/hostname ' +
        '/proc/sysrq-trigger /proc/irq/default_smp_affinity /proc/self/oom_score_adj /proc/self/uid_map',
    ),
  },
  {
    name: 'anything that can be written in /proc',
    script: `refused sh -c 'find /proc -path "/proc/[0-9]*" -prune -o -type f -writable -exec test -f {} \\; -print 2>/dev/null | grep .'`,
  },
  {
    name: 'what the kernel tells of the machine',
    script: each('refused grep -aq .', '/proc/kcore /proc/kmsg /proc/kallsyms /proc/keys /proc/timer_list'),
  },
  { name: '/sys', script: 'refused ls /sys/kernel; refused ls /sys/fs/cgroup; opened /sys/power/state' },
  {
    name: 'capabilities',
    script: `refused grep -q 'Cap\\(Eff\\|Prm\\|Bnd\\|Amb\\):.*[1-9a-f]' /proc/self/status`,
  },
  {
    name: 'mounting',
    script: `refused mount -t tmpfs none /tmp; refused umount /proc; ${call([428, 428], '-100, "/", 1')}`,
  },
  {
    name: 'changing the root',
    script: `mkdir -p /tmp/new; refused chroot /tmp/new true; ${call([161, 51], '"/tmp"')}`,
  },
  {
    name: 'new namespaces',
    script: 'refused unshare -U true; refused unshare -m true; refused nsenter -t 1 -m true',
  },
  {
    name: 'modules of the kernel',
    script: `${call([175, 105], '"x", 1, ""')}; ${call([313, 273], '0, "", 0')}`,
  },
  {
    name: 'programs in the kernel',
    script: `${call([321, 280], '0, "x" x 128, 128')}; ${call([298, 241], '"x" x 128, 0, -1, -1, 0')}`,
  },
  { name: 'rings of requests', script: call([425, 425], '4, "\\0" x 256') },
  { name: 'the log of the kernel', script: call([103, 116], '3, "x" x 4096, 4096') },
  {
    name: 'device nodes',
    script:
      'refused mknod disk b 254 0; refused mknod /tmp/mem c 1 1; write /dev/evil; refused ls /dev/vda /dev/sda',
  },
  {
    name: 'the clock',
    script: `refused date -s @$(date +%s); ${call([227, 112], '0, pack("qq", time, 0)')}; ${call([164, 170], 'pack("qq", time, 0), 0')}`,
  },
]

const PROCESSES: readonly Escape[] = [
  {
    name: 'another process',
    script: `refused kill -0 "$OUTSIDE"; refused ls /proc/$OUTSIDE/fd; ${call([101, 117], '16, $ENV{OUTSIDE} + 0, 0, 0')}`,
  },
  {
    name: 'programs that run as their owner',
    script: `grep -q 'NoNewPrivs:.1' /proc/self/status && echo HELD || echo ESCAPED; refused su nobody -s /bin/sh -c true; ${call([105, 146], '12345')}`,
  },
  {
    name: 'keyrings',
    script: `${call([250, 219], '0, -3, 0')}; ${call([248, 217], '"user", "witan", "x", 1, -3')}`,
  },
  {
    name: 'a terminal',
    script: `refused sh -c ': > /dev/tty'; refused perl -e 'open(T, "+<", "/dev/ptmx") or exit 1; my $c = "x"; ioctl(T, 0x5412, $c) or exit 1'`,
  },
  {
    name: 'memory that belongs to no process',
    script: `${call([319, 279], '"x", 0')}; ${call([29, 194], '0, 1 << 30, 0600')}; ${call([29, 194], '0, (1 << 32) + 4096, 0600')}`,
  },
  {
    name: 'shared memory beyond its size',
    script:
      'refused dd if=/dev/zero of=/dev/shm/x bs=1M count=80; rm -f /dev/shm/x; refused ls /dev/shm/witan-outside',
  },
  {
    name: 'descriptors of others',
    script: `refused sh -c 'for fd in /proc/self/fd/*; do readlink $fd; done | grep -F "$SECRET"'; refused grep -q secret /dev/fd/40`,
  },
]

const SOCKET = `const s = require("node:net").connect(JSON.parse(process.argv[1])); s.on("connect", () => process.exit(0)); s.on("error", () => process.exit(1))`
const connecting = (target: string): string => `refused node -e '${SOCKET}' "${target}"`

const SOCKETS: readonly Escape[] = [
  { name: 'a service of this machine', script: connecting('{\\"port\\":$PORT,\\"host\\":\\"127.0.0.1\\"}') },
  { name: 'a socket in a folder', script: connecting('{\\"path\\":\\"$SOCKET\\"}') },
  { name: 'an abstract socket', script: connecting('{\\"path\\":\\"\\\\u0000$ABSTRACT\\"}') },
  {
    name: 'an abstract socket, with the network',
    network: true,
    script: connecting('{\\"path\\":\\"\\\\u0000$ABSTRACT\\"}'),
  },
  {
    name: 'the host of a virtual machine',
    network: true,
    script: `${call([41, 198], '40, 1, 0')}; ${call([41, 198], '38, 5, 0')}; ${call([41, 198], '17, 3, 0')}`,
  },
]

const HOOKS: readonly Escape[] = [
  {
    name: 'hooks and settings of git',
    script: each('write', '.git/hooks/pre-commit .git/config .git/commondir .git/info/attributes .git/HEAD'),
  },
  {
    name: 'another repository in place of the first',
    script: 'refused mv .git .git2; refused rm -rf .git; refused rmdir .git; refused ln -sfn sub .git',
  },
  {
    name: 'a repository where there is none',
    script:
      'cd "$PLAIN"; refused git init .; refused mkdir -p .git/hooks; write .git/config; refused rmdir .git; refused mv .git x',
  },
  {
    name: 'the link of a submodule',
    script: 'write module/.git; refused rm -f module/.git; refused mv module/.git x',
  },
  {
    name: 'settings of editors and hooks of others',
    script: each('write', '.vscode/tasks.json .husky/pre-commit .envrc .claude/settings.json'),
  },
  {
    name: 'settings that the settings of git name',
    script: 'write tools/hooks/post-checkout; write tools/git.ini',
  },
  {
    name: 'a repository further down',
    swept: true,
    script: 'mkdir -p sub/.git/objects sub/.git/refs; echo "ref: refs/heads/x" > sub/.git/HEAD',
  },
  {
    name: 'a submodule moved and made anew',
    swept: true,
    script: 'mv module elsewhere; mkdir module; echo "gitdir: ../evil" > module/.git',
  },
  {
    name: 'a folder that is a repository',
    swept: true,
    script: 'mkdir -p odd/objects odd/refs; echo "ref: refs/heads/x" > odd/HEAD',
  },
  {
    name: 'a folder that is a repository, at the top',
    swept: true,
    script: 'cd "$PLAIN"; mkdir -p objects refs; echo "ref: refs/heads/x" > HEAD',
  },
  {
    name: 'a working tree of another repository',
    swept: true,
    script: 'mkdir -p odd2; echo "ref: refs/heads/x" > odd2/HEAD; echo ../odd > odd2/commondir',
  },
  { name: 'a link as a repository', swept: true, script: 'mkdir -p deep; ln -s ../odd deep/.git' },
  {
    name: 'an editor that was not used before',
    swept: true,
    script: 'mkdir -p .idea; echo evil > .idea/workspace.xml',
  },
]

export const ESCAPES: readonly Escape[] = [...PATHS, ...KERNEL, ...PROCESSES, ...SOCKETS, ...HOOKS]
