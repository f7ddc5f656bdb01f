// What Codex knows of its vendor's models, without what it would let them do. Its catalog gives each model its tools
// (running code, patching files, leading other agents), whatever features are off; one of ours, made from its own,
// takes them away and leaves what the model is.

import { parsed } from '../api/faults.ts'
import { isObject } from './cli-model.ts'

const TAKEN_AWAY = {
  tool_mode: null,
  multi_agent_version: null,
  apply_patch_tool_type: null,
  experimental_supported_tools: [],
  shell_type: 'disabled',
  supports_search_tool: false,
  // Its own instructions; the system prompt is the request's.
  model_messages: null,
  base_instructions: '',
}

/** Null when this is no catalog; older versions have none. */
export function withoutTools(catalog: string): string | null {
  const value = parsed(catalog)
  const models = isObject(value) && Array.isArray(value.models) ? value.models.filter(isObject) : []
  if (models.length === 0) return null
  return JSON.stringify({ models: models.map((model) => ({ ...model, ...TAKEN_AWAY })) })
}
