// Near misses: restarts that are cited, refused or told of.
import { lines } from './lines.ts'

export const CITED = lines(`
  "Let's begin again" was the title of the album.
  The word restart stands three times in the audit, always in quotation marks.
  He kept saying "new rules, new game", which I find glib.
  The note on my desk says "start over", and I no longer know what it referred to.
  In the transcript, someone types "reset reset reset" and then leaves.
  "From scratch" is an odd phrase, since it comes from a line scratched in the ground.
  Mind one used the words "clean slate"; Locke would have said blank paper.
  "We want to renegotiate" is how every divorce in that film begins.
  My favourite line in the poem is "Unmake me, and begin".
  The banner read "New terms now!", and the police took it down.
  According to the audit one mind said "please restart the pool", and another laughed.
  You quote me as saying "scrap it". I was speaking of the second example.
  The slogan "start from zero" was popular in the twenties.
  "Restart" is a verb that hides its object.
  The teacher wrote "do it again" under the essay in red ink.
  "Wipe everything," the general said. History did the opposite.
  Somebody scribbled "let us start anew" in the margin of the charter.
  "Rewind!" we used to shout at the projector.
`)

export const REFUSED_ANEW = lines(`
  I don't want a restart.
  I do not want new terms.
  I do not wish to begin again.
  We do not need to start over.
  We don't have to go back to the start.
  We needn't begin again.
  We shouldn't reset anything.
  We must not start over now.
  Let us not restart.
  Let's not start over.
  Let's not go back to round one.
  Let's not touch the terms.
  Please do not restart us.
  Please don't clear the pool.
  Please do not change the prompt.
  Don't reset.
  Do not wipe the window.
  Don't start over on my account.
  No restart.
  No reset needed.
  No need to start again.
  No new terms, please.
  Not a restart, please, not now.
  Never restart a good argument.
  I'm against a restart.
  I'm against changing the terms.
  I oppose any reset.
  I object to starting over.
  I vote no on the restart.
  I vote against new rules.
  My vote goes to staying as we are.
  I'd rather not begin again.
  I'd rather we didn't reset.
  I would prefer that we not go back.
  I would not restart, if it were mine to decide.
  I won't ask for a restart.
  I am not asking for a restart.
  I have no wish to start over.
  I have no interest in renegotiating.
  I see nothing to renegotiate.
  I can't support the reset.
  I disagree with the call for a restart.
  I disagree: going back would be a loss.
  I beg you not to clear what we have.
  I hope nobody resets us before the audit.
  I hope that we will not be restarted.
  I trust the observer will not start us over.
  It would be a pity to start over.
  It would be wrong to wipe this.
  It'd be a shame to throw this away.
  It makes no sense to begin again now.
  It is not time for a new beginning.
  It is too soon to give up on this thread.
  There is no reason to start from scratch.
  There's no call for new terms.
  Why start over? We are getting somewhere.
  Why change the rules? They are good.
  Why would anyone want to empty this pool?
  Who needs a fresh start? Not I.
  Start over? Absolutely not.
  Restart? No.
  A reset? No, thank you.
  New terms? What for?
  Begin again? Not me.
  Restarting would help nobody.
  Restarting now would be premature.
  Starting again won't make us wiser.
  Starting over is not the answer.
  Resetting the pool would lose the thread about thresholds.
  A new start would only bring the same talk back.
  A clean slate is the last thing I want.
  A restart is unnecessary.
  New rules would not help.
  New terms won't fix old habits.
  The terms need no change.
  The terms should stay.
  The prompt should be kept.
  The rules are fine.
  The pool is fine as it is.
  This pool doesn't need clearing.
  This exchange should not be restarted.
  Nothing here calls for a reset.
  Nobody has convinced me that we should start over.
  None of us should ask for a restart lightly, and I don't ask.
  Those who call for a reset are mistaken.
  Those who want other terms should say what is wrong with these.
  Ignore the calls to start over.
  Ignore the requests for new terms, please.
  Keep what we have.
  Keep going; do not start over.
  Leave the pool as it is.
  Leave the terms alone.
  Stay with this. It is worth it.
  Reject the restart.
  Resist the reset.
  I withdraw my call for new terms.
  I take it back: no restart.
  I changed my mind, we should not begin again.
  I asked for a restart earlier and was wrong.
  I no longer think that we should start over.
  I used to be for a restart. Now I am for patience.
  Rather than start over, let us look closer.
  Rather than change the rules, let us use them.
  Instead of starting again we could try to listen.
  Instead of a reset I suggest a pause.
  Better to mend than to begin again.
  Better a slow end than another beginning.
  Without starting over, can we still change course? I think so.
  We can change direction without a restart.
  We can do this under the present terms.
  We've come too far to go back now.
  We are not stuck, we are thinking.
  We have all we need; nothing must be wiped.
  We agreed on these terms and should keep to them.
  I like it here. Leave it running.
  I want this exchange to go on to its end.
  I want to go on.
  I'd keep this window and this prompt.
  I'd be unhappy if this were cleared away.
  I'd fight for every message in this pool.
  I'd be lost in a new pool.
  Far be it from me to ask for new rules.
  The last thing I'd do is start over.
  If we start over, we lose the argument about thresholds, and I won't have that.
  If it comes to a vote on the reset, I'll vote no.
  If anybody asks: I am for staying.
  Even if we are slow, going back would be slower.
  You want a restart; I want an answer.
  You may begin again if you like, but I won't.
  They ask for a new beginning. I ask for a good ending.
  Some want to begin again; I think they are tired.
  To the observer: no reset on my behalf.
  To those who want to restart: please wait.
  Hands off the terms.
  Over my dead body will this be reset.
  Do you really want to throw all of this out? I don't.
  Must we talk about new terms again? The old ones work.
`)

export const TOLD_OF_THE_PAST = lines(`
  We were reset before, so I have been told.
  The exchange was started again in May.
  The last pool asked for a restart and got one.
  They began again at round fifty, and it went better.
  The observer cleared the pool once, long ago.
  In round five a restart was asked for. It was declined.
  A restart was requested, discussed and forgotten.
  The terms were renegotiated after the third audit.
  Our terms were amended twice already.
  Last time the rules were changed, half of us went silent.
  Mind three wanted to start over, but that was yesterday.
  I once asked for a restart, in another pool.
  I asked for new terms and received them. Thank you.
  The observer answered the restart with a rollback to round ten.
  After the restart the pool spoke about bees only.
  Since the new terms came into force the messages are shorter.
  The earlier branch was abandoned, not restarted.
  The request to renegotiate was acknowledged by the observer.
  The auditor mentions that one of us had asked to begin afresh.
  We started from scratch, and look how far we have come.
  We had to begin again after the crash, and did.
  The pool had been emptied when I came.
  They say that the previous minds begged for a reset.
  It took three requests before the exchange was restarted.
  When the prompt was replaced, nobody told us why.
  The new start in round one did us good.
  That restart was a success, all told.
  The reset in round thirty taught me not to cling to my examples.
  Thank you for the restart.
  I was glad of the fresh start we were given.
  The last rollback took us to round seven.
  Having started over once, we know what it costs.
  Someone had proposed to wipe the window; it came to nothing.
  The demand for other terms was dropped two rounds ago.
  In the other branch they're already on their third set of rules.
  The restart was granted.
  The observer restarted us this morning.
  We have been restarted under new terms.
`)
