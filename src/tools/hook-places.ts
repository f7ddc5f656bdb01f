// Places in a workspace whose content the user's own tools run later, as the user and outside of every
// sandbox: hooks and settings of git, editors, agents and shells. This is the one list; files, commands and
// servers all use it. Files with no other use are never written. Files that also have another use may be
// written, and the call is marked.

/** At any depth: git searches it in every folder on its way up, and in every submodule on its way down. */
const ANYWHERE: ReadonlySet<string> = new Set(['.git'])

/** Directly in a granted folder: programs that open it as a project run them. */
const AT_THE_TOP: ReadonlySet<string> = new Set(
  (
    '.husky .githooks .vscode .idea .fleet .zed .devcontainer .devcontainer.json .envrc .exrc .nvimrc .nvim.lua ' +
    '.dir-locals.el .claude .cursor .codex .gemini .mcp.json'
  ).split(' '),
)

/** A folder with these is a repository by itself; without HEAD it is none. */
const OF_REPOSITORY: ReadonlySet<string> = new Set(['head', 'commondir'])

/** Files that install, build, test or deploy when the user next does so. */
const RUN_LATER = [
  /(?:^|\/)(?:package\.json|\.npmrc|\.yarnrc(?:\.yml)?|\.pnp\.[cm]?js|\.pnpmfile\.cjs|deno\.jsonc?|bunfig\.toml)$/i,
  /(?:^|\/)(?:gnu)?makefile$|\.mk$|(?:^|\/)(?:justfile|taskfile\.ya?ml|rakefile|gemfile|cmakelists\.txt)$/i,
  /(?:^|\/)(?:build\.rs|cargo\.toml|setup\.py|setup\.cfg|pyproject\.toml|conftest\.py|tox\.ini|noxfile\.py)$/i,
  /(?:^|\/)(?:(?:build|settings)\.gradle(?:\.kts)?|gradlew|mvnw|pom\.xml|\.bazelrc|[\w-]+\.nix)$/i,
  /(?:^|\/)(?:dockerfile|(?:docker-)?compose\.ya?ml|jenkinsfile|\.gitlab-ci\.yml|\.travis\.yml)$/i,
  /(?:^|\/)(?:\.pre-commit-config\.yaml|lefthook\.ya?ml|\.lintstagedrc(?:\.\w+)?|\.tool-versions|\.?mise\.toml)$/i,
  /(?:^|\/)(?:\.gitattributes|\.gitmodules)$|\.config\.[cm]?[jt]s$|(?:^|\/)\.\w+rc\.[cm]?js$/i,
  /(?:^|\/)(?:\.github\/(?:workflows|actions)|\.circleci|\.cargo|\.yarn)\//i,
]

/** Whether an entry of this name, this many folders below its root, is a hook place. */
export const isHookPlace = (name: string, depth: number): boolean =>
  ANYWHERE.has(name.toLowerCase()) || (depth === 0 && AT_THE_TOP.has(name.toLowerCase()))

/** The first step of a path below its root that may never be written, or null. */
export function hookPlaceOn(segments: readonly string[]): string | null {
  const step = segments.find((segment, depth) => isHookPlace(segment, depth))
  if (step !== undefined) return step
  const last = segments.at(-1) ?? ''
  return OF_REPOSITORY.has(last.toLowerCase()) ? last : null
}

/** Whether the user's tools run what is at this path, in addition to other uses. */
export const runsLater = (path: string): boolean => RUN_LATER.some((pattern) => pattern.test(path))
