// The notice for demos whose models answer from a script: in every output and every export. The signed
// opening contains it as `scripted: true`.

export const SCRIPTED_DEMO = 'scripted demo, no model was asked'
