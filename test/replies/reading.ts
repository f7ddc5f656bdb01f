// A reply of the corpus, given to the reader as a protocol would give it.

import { WANTED_PLAN, WANTED_TURN, WANTED_VERDICT } from '../../src/agents/replies.ts'
import { wantedOpinion, wantedReport, wantedReview } from '../../src/council/replies/wanted.ts'
import { WANTED_AUDIT, WANTED_JUDGEMENT, wantedMessages } from '../../src/exchange/replies.ts'
import { READER_VERSION, readReply } from '../../src/reply/read-reply.ts'
import type { RawReply, Reading } from '../../src/reply/reading.ts'
import type { Wanted } from '../../src/reply/wanted.ts'
import type { CarelessReply } from './corpus.ts'

export function wantedFor({ shape, mode = 'ask', context }: CarelessReply): Wanted {
  switch (shape) {
    case 'opinion':
      return wantedOpinion(mode)
    case 'review':
      return wantedReview(mode)
    case 'report':
      return wantedReport(mode)
    case 'plan':
      return WANTED_PLAN
    case 'turn':
      return WANTED_TURN
    case 'critic':
      return WANTED_VERDICT
    case 'audit':
      return WANTED_AUDIT
    case 'judgement':
      return WANTED_JUDGEMENT
    case 'exchange':
      return wantedMessages({
        max_messages: context?.max_messages ?? 3,
        max_chars: context?.max_chars ?? 400,
      })
  }
}

export function readCareless(reply: CarelessReply, text = reply.raw): Reading {
  const { prompt = '', labels, artifacts } = reply.context ?? {}
  const { plain_body, answers, ...wire } = reply.wire ?? {}
  const raw: RawReply = { text, ...wire }
  return readReply(READER_VERSION, wantedFor(reply), raw, {
    prompt,
    ...(labels ? { labels } : {}),
    ...(artifacts ? { artifacts } : {}),
  })
}
