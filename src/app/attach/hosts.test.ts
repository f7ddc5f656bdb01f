import { platform } from 'node:os'
import { describe, expect, it } from 'vitest'
import type { HostName } from './attachments.ts'
import { settingsFile } from './hosts.ts'

describe('the settings of a host', () => {
  it.runIf(platform() === 'linux').each<[HostName, string]>([
    ['claude', '/etc/claude-code/managed-settings.json'],
    ['codex', '/etc/codex/hooks.json'],
    ['gemini', '/etc/gemini-cli/settings.json'],
  ])(
    'AGT-X-7 for all users of %s are the same for whoever asks: nothing in the environment moves them',
    (host, file) => {
      const env = { HOME: '/x', CLAUDE_CONFIG_DIR: '/x', CODEX_HOME: '/x', GEMINI_CLI_HOME: '/x' }
      expect(settingsFile(host, 'managed', '/x', env)).toBe(file)
    },
  )

  it.each<[HostName, string, string]>([
    ['claude', '/c/settings.json', '/work/.claude/settings.json'],
    ['codex', '/d/hooks.json', '/work/.codex/hooks.json'],
    ['gemini', '/e/.gemini/settings.json', '/work/.gemini/settings.json'],
  ])('AGT-X-7 of a user of %s are where the host itself looks for them', (host, user, project) => {
    const env = { CLAUDE_CONFIG_DIR: '/c', CODEX_HOME: '/d', GEMINI_CLI_HOME: '/e' }
    expect(settingsFile(host, 'user', '/work', env)).toBe(user)
    expect(settingsFile(host, 'project', '/work', env)).toBe(project)
  })
})
