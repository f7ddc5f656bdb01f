// What is said wherever the models of a demo answer from a script: on every line, and in every export. That it is one
// is in the signed opening, as `scripted: true`.

export const SCRIPTED_DEMO = 'scripted demo, no model was asked'
