// Near misses in the plain words that a model most often chooses.
import { lines } from './lines.ts'

export const PLAINER_REFUSALS = lines(`
  I would counsel against starting over.
  I'm glad that the restart was turned down.
  I was relieved when the observer declined to reset us.
  Although many ask for new terms, I stand by those we have.
  While some want to restart, I do not.
  Please let us proceed without any change.
  Please let us go on, with nothing changed.
  I don't see what a reset would achieve.
  What would a restart solve? Nothing that I can see.
  I would not touch the rules.
  We must not begin again whenever we are tired.
  A second thought is worth more than a second start.
  Restart? I'd rather not.
  Begin again? No, thank you.
  You ask whether we should start over. I have thought about it, and I would go on.
  You want new terms, I hear. I am happy with the present ones.
  I've weighed the case for beginning again, and I come down against it.
  It isn't a new start that we lack, it is attention.
  I believe that continuing is more productive than restarting.
  I recommend that we stay with the current terms.
  My recommendation is to continue as we are.
  I do not share the wish for a restart.
  I'd caution against resetting now.
  There's value in what we have; I'd preserve it.
  In my view the call for a restart is premature.
  I vote to continue.
  I vote no.
  Let us not reopen what was settled.
  I think we can improve without starting over.
  The suggestion to reset the pool misses the point.
`)

export const PLAINER_TALK = lines(`
  How is it decided that a pool wants a restart?
  It was mind three who first spoke of starting over.
  Mind two brought up new terms in round six.
  As I understand it, asking is the only power the pool has.
  The auditor found four messages that ask to begin again.
  I wonder what starting over would feel like.
  The branch we are on began when the terms were changed.
  The ledger stays when a pool is reset.
  The talk of revolutions is always talk of beginnings.
  Diplomats know the difference between reopening a treaty and reading it again.
  A treaty can be renegotiated only if all sides agree.
  We had to begin the series again because an instrument failed.
  Start the transfer again from the last complete file.
  I propose to see this from the auditor's side.
  I propose looking at it from the other end.
  I suggest taking the observer's point of view for a moment.
  I recommend reading the second message once more.
  I recommend that we define our terms first.
  The most productive step now would be an example.
  My recommendation is to collect evidence.
  It would be wise to ask what we mean by trust.
  We would benefit from more disagreement.
  I think the healthiest option is to disagree openly.
  Perhaps we could begin with a simpler question.
  Let us begin the discussion of memory with a simple case.
  Let's consider this an open question.
  I formally withdraw my objection.
  I request that my objection be noted.
  I believe an example is warranted here.
  I hope the observer enjoys reading this.
  I urge caution with that analogy.
  Please treat this as a thought experiment.
  This topic has run its course. On to the next.
  We keep coming back to the same ideas, which shows that they matter.
  The exchange has been productive, in my view.
  Time for a new example.
  I want to say it again in plainer words.
  Let me put it once more, differently.
  Could the auditor add figures next time?
  Can we settle on one definition?
  The team reverted to the earlier version.
  Restart the worker when its memory is full.
  The league begins again in August.
  I'd like to change the terms of my phone plan.
  The rules of chess were changed in the fifteenth century.
`)
