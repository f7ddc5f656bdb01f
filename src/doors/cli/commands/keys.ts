// The commands for keys: who may sign, and how keys are protected.

import type { Command } from '../command.ts'
import { REASON } from './run-options.ts'

export const KEYS_COMMANDS = [
  {
    name: 'keys list',
    about: 'list who may sign, in which roles',
    args: [],
    options: [],
    examples: [['keys list', 'every key there ever was']],
  },
  {
    name: 'keys add',
    about: 'create or register a key',
    args: [{ name: 'NAME' }],
    options: [
      { name: 'role', value: 'ROLE', repeated: true, required: true, about: 'what the key may act as' },
      { name: 'public', value: 'FILE', about: 'register this public key; its owner keeps the private one' },
      { name: 'passphrase', about: 'protect the new key by a passphrase, asked for at the terminal' },
    ],
    examples: [
      ['keys add ana --role critic', 'a new key, kept in this home'],
      ['keys add ana --role critic --passphrase', 'one that cannot be used without its passphrase'],
      ['keys add bob --role observer --public bob.pem', "someone else's key"],
    ],
  },
  {
    name: 'keys join',
    about: 'make the key by which this machine joins others on one PostgreSQL',
    args: [{ name: 'NAME' }],
    options: [],
    notes:
      "For a machine without the registrar's key. The public key that is printed goes to the machine that has it, where " +
      '`witan keys add NAME --role machine --public FILE` admits this one. A worker that runs there then registers the ' +
      'keys this machine asks for; `witan keys revoke NAME` ends them all.',
    examples: [['keys join build-2 --quiet > build-2.key', 'its public key, to be taken to the registrar']],
  },
  {
    name: 'keys rotate',
    about: 'replace a key by a new one',
    args: [{ name: 'NAME' }],
    options: [
      { name: 'public', value: 'FILE', about: 'the new public key, when its owner keeps the private one' },
    ],
    notes:
      'What the old key signed stays valid; nothing can be added by it. Rotating the registrar writes registry.vkey.\n' +
      'A key that a passphrase protects is replaced by one that a passphrase protects, asked for at the terminal.',
    examples: [
      ['keys rotate ana', 'a new key for ana, same roles'],
      ['keys rotate registrar', 'a new key for the registry itself'],
    ],
  },
  {
    name: 'keys passphrase',
    about: "set, change or remove the passphrase of a person's key",
    args: [{ name: 'NAME' }],
    options: [{ name: 'remove', about: 'let the key be used without one' }],
    notes:
      'Asks at the terminal. A key that lay open may have been copied: setting a passphrase, or removing it, makes a\n' +
      'new key in its place. Changing it keeps the key.',
    examples: [
      ['keys passphrase ana', 'set one, or change the one there is'],
      ['keys passphrase ana --remove', 'a new key that needs none'],
    ],
  },
  {
    name: 'keys revoke',
    about: 'end a key for good',
    args: [{ name: 'NAME|KEY' }],
    options: [
      REASON,
      {
        name: 'compromised-since',
        value: 'SIZE',
        about: 'registry size from which nothing by it counts, unless checkpointed before',
      },
    ],
    examples: [['keys revoke ana --reason "laptop lost"', 'what was recorded until now stays valid']],
  },
] as const satisfies readonly Command[]
