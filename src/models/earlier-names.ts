// `witan/minds`, the name this entry had until 0.1: the same exports, with the old names beside the new ones, for one
// release. Use `witan/models`.

export * from './index.ts'
export {
  apiModel as apiMind,
  type Model as Mind,
  replayModel as replayMind,
} from './index.ts'
