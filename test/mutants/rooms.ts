// The rooms that are measured, and the tests outside a room that hold it too, in this process and in little time.
export const WIDER: Readonly<Record<string, readonly string[]>> = {
  ledger: [
    'test/attacks/{attacks,tamper-matrix,tamper-order}.test.ts',
    'test/{surplus,vectors,pins,golden,frozen-bundles}.test.ts',
    'src/clerk/{extract,fork,registrar,redaction}.test.ts',
    'src/council/{council,forged}.test.ts',
  ],
  council: [
    'test/{frozen-bundles,editions}.test.ts',
    'test/council/forged-retry.test.ts',
    'test/replies/reading.test.ts',
    'test/{redaction,redaction-instances}.test.ts',
  ],
  agents: ['test/{frozen-bundles,editions}.test.ts', 'test/{redaction,redaction-instances}.test.ts'],
  exchange: [
    'test/exchange/recorded-means.test.ts',
    'test/{frozen-bundles,editions,redaction-instances}.test.ts',
  ],
  reply: [
    'test/replies/{reading,limits,damage,hostile}.test.ts',
    'src/council/{replies,prompts}/*.test.ts',
    'src/agents/{models,unusable-answer}.test.ts',
  ],
  eval: ['src/eval/**/*.test.ts'],
}
