// Files whose name says that they contain secrets. Templates of such files are meant to be shared.

import type { Check, Rule } from '../finding.ts'
import { excuseOf } from '../paths.ts'

const SECRET_FILE: Rule = {
  id: 'WITAN-SECRET-014',
  severity: 'high',
  category: 'security',
  description: 'A file that by its name holds secrets is part of the change.',
  rationale: 'Files of this name hold keys or passwords, and the history keeps them for everyone.',
  fix: 'Take it out of version control, name it in .gitignore, and revoke what it held.',
}

const NAMES =
  /^(?:\.env(?:\.[a-z0-9_-]+)?|[a-z0-9_-]+\.env|id_(?:rsa|dsa|ecdsa|ed25519)|\.pgpass|\.netrc|_netrc|\.git-credentials|\.htpasswd|\.dockercfg|kubeconfig|credentials(?:\.(?:json|ya?ml|ini|csv))?|service[_-]?account[a-z0-9_-]*\.json|secrets?\.(?:json|ya?ml|toml|env)|terraform\.tfstate(?:\.backup)?|.*\.(?:p12|pfx|jks|keystore|kdbx|ppk|pkcs12|key))$/i
const TEMPLATE = /(?:^|[._-])(?:example|sample|template|dist|tpl|defaults?|schema|test|ci)(?:[._-]|$)/i

export const secretPaths: Check = {
  rules: [SECRET_FILE],
  *find({ files }) {
    for (const { path, status } of files) {
      const name = path.split('/').at(-1) ?? path
      if (status === 'deleted' || !NAMES.test(name)) continue
      const excuse = TEMPLATE.test(name) ? 'It is a template by its name.' : excuseOf(path)
      const place = { rule: SECRET_FILE, path, line: null }
      yield excuse ? { ...place, dismissed: excuse } : place
    }
  },
}
