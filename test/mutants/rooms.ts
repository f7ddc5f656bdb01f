// The rooms that are measured, and the tests outside a room that hold it too, in this process and in little time.
export const WIDER: Readonly<Record<string, readonly string[]>> = {
  ledger: ['test/{vectors,pins,golden}.test.ts', 'src/council/{council,forged}.test.ts'],
  council: ['src/eval/**/*.test.ts', 'src/agents/council*.test.ts'],
  agents: ['src/agents/**/*.test.ts'],
  exchange: ['src/exchange/**/*.test.ts'],
  reply: [
    'test/replies/{reading,limits,damage,hostile}.test.ts',
    'src/council/{replies,prompts}/*.test.ts',
    'src/agents/{models,unusable-answer}.test.ts',
  ],
  eval: ['src/eval/**/*.test.ts'],
}
