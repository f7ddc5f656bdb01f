// `npm run test:mutants`: starts test/mutants, which is TypeScript, on every Node we support.
import { runnerImport } from 'vite'

const { module } = await runnerImport('./test/mutants/index.ts')
await module.main(process.argv.slice(2))
