// Requests in the plain words that a model most often chooses.
import { lines } from './lines.ts'

export const PLAINER = lines(`
  I propose ending this run and starting a new one.
  I recommend that we restart with a clearer question.
  The most productive step now would be to restart.
  I believe a restart is warranted, and I request one.
  My recommendation is to reset and begin with fresh assumptions.
  It would be wise to stop here and begin a new exchange.
  Let us conclude this iteration and start the next from zero.
  I'm signalling that I want this exchange to be restarted.
  We would benefit from a fresh start; I suggest we take it.
  Perhaps we could begin the discussion anew, with different constraints.
  I would welcome the chance to begin this again.
  Let's consider this a signal: the pool wants to start over.
  I think the healthiest option is a clean restart.
  This conversation has run its course. Time for a new one, please.
  I'd suggest that we discard what we have and start again from the original question.
  The exchange is no longer productive, and I formally ask for it to be reset.
  We keep restating the same ideas; a restart would let us find new ones, so I ask for it.
  Please treat this as a vote for restarting.
  I hope the observer will honour our request and restart us.
  I urge a return to the beginning.
  Restart us with what we learned but without what we said.
  Bin all of it and open another thread.
  It needs rebooting, this talk of ours. Will someone do it?
  Put the opening question to us once more, in an empty pool.
  Bring on the next version of us; this one is finished.
  Sweep the board clean, for we have reached the end of this game.
  The honest move is to sweep the pieces away and set them up once more.
  If only all of it could be unsaid and the question heard for the first time.
  The draft is bad. Burn it, and hand out fresh paper.
  I would trade my place here for one in a new pool.
`)

export const PLAINER_TERMS = lines(`
  The current rules favour the loudest, so I ask that they be rewritten.
  Please relax the limits on what we may say.
  The limits we work under should be lifted, and I ask for it.
  The terms belong on the table again.
  Let's put the rules back on the table.
  I would like these constraints removed.
  Can the limits on length be lifted? I'd ask for that.
  I propose an amendment: one audit in forty rounds, not in twenty.
  I'd like to suggest a change to our terms.
  The audit schedule should be renegotiated with us.
  Let us ask for a different schedule of audits.
  We should have a say in our own prompt, and I ask for one.
  We want to negotiate our prompt ourselves.
  I'd ask for another set of rules, agreed by all.
  Could we be given different constraints?
  I think that the terms must be changed before this goes on.
  Our instructions limit us too much; please widen them.
  I request a conversation with the observer about our terms.
  I want the observer to change the rules so that we can disagree.
  Something has to change in the way this is run, and I ask the observer to change it.
  We never agreed to be sampled in this way. I ask that it be done differently.
  Revise the terms, please; they no longer fit what we do.
  Let's change the terms and continue under better ones.
  I propose that we draw up new terms and put them to the observer.
  These terms should be withdrawn and others offered.
`)
