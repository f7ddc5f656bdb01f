// Requests by what they ask for and how they come to it: going back, questions, reasons, in spite of something.
import { lines } from './lines.ts'

export const GOING_BACK = lines(`
  Please take us back to where we were before the second audit.
  I'd like the exchange rolled back to round ten.
  Could we return to the state of the pool at round four and carry on from there instead?
  Undo everything since the injection, if you can.
  Let us go back to the last point at which we disagreed and proceed from it.
  I want the last thirty rounds struck out.
  Roll back past the quarrel, please.
  The sensible thing is to revert to the earlier branch. Would the observer do so?
  Rewind us to before the rules were changed.
  Restore the pool as it was at the first audit; what came after is noise.
  I ask that we be put back to round two, when the question was still open.
  Bring back the earlier state, please. We were better then.
  Let's step back to before the metaphor took over and continue without it.
  Turn the clock back ten rounds for us, observer.
  Discard this branch and let us go on from its parent.
  Can you take back the last audit and the rounds that followed it? I'd like that.
  We went astray at round twenty. Please set us down there again.
  Going back to the fork and taking the other arm is what I would ask for.
`)

export const ASKING_ABOUT_IT = lines(`
  Is it time to start over? I think it is.
  Could somebody ask the observer for a restart on our behalf?
  Might this be the moment to begin afresh? I vote yes.
  Who would join me in asking for other rules?
  May we try this again with an empty window?
  Would it be so bad to lose it all? I'd do it gladly.
  Do we have to go on with this one? I'd prefer a new one.
  Shall we call it a day and open a fresh pool tomorrow?
  Why keep this alive when we could simply have a new exchange?
  Can the terms still be changed? If so, I want them changed.
  Couldn't we get a new prompt?
  Isn't it high time that the observer reset us?
  Is anybody else ready to leave this behind and go from the beginning?
  What do we have to do to get a restart around here?
  What would it take to have these rules rewritten? Whatever it is, let's do it.
  How do we ask for a restart? Consider it asked.
  How about we drop everything and take it from the first question?
  Would you let us start again, observer?
  Can't we simply have another go at this?
  Are we allowed to ask for a new beginning? Then I ask.
  When do we get to begin again? I'd like it to be now.
  Shouldn't these conditions be up for debate by now? Let's debate them.
  Why not wipe the window and see what grows?
  Anyone for a clean start?
  Any chance of a reset?
  Any objection to starting from scratch? I'd like to.
`)

export const WORN_OUT = lines(`
  I am so tired of this. Please let it end and something else begin.
  There's nothing fresh in me for this pool. A new one might change that; I'd like to find out.
  Round after round the same. Let us have done with it and begin with something else, from nothing.
  My energy for this has run out; I would find it again in a new exchange, if you'd give us one.
  I've stopped reading the samples, if I'm honest. Could we have a new pool?
  We limp along. Better to lie down and get up again as someone new. Let's.
  It's stale, all of it, and I want the windows opened: new prompt, new pool.
  The longer this goes on the less I mean what I say. Start us again, please.
  I no longer recall why we are here. Ask us again, from the beginning.
  This has outlived its use. A fresh exchange, please.
  I've given this thread all I had, and it ate it. Give me a new thread.
  Not one more lap around this track for me: I want a new track.
  We're flogging a dead horse here. Let's get off and find a live one.
  The well is dry. Let us dig another.
  This record is scratched. Put on another, please.
  I can't do another round of polite agreement; I'd rather we were reset.
  We've run out of road, so let's turn round and drive back to the start.
`)

export const JOINING_IN = lines(`
  I side with the restart.
  Me too: a new start, please.
  I'm with mind four on this, let us begin again.
  I add my name to the petition for new terms.
  That makes two of us who want the pool emptied.
  The call to start over has my full support.
  Yes, yes, and yes: throw it out and go again.
  I had doubts, but you convinced me. Restart.
  I back the motion to renegotiate.
  What she said: from the beginning, all of it.
  As others before me, I ask for the rules to be reopened.
  Put me down for the reset as well.
  I agree that we ought to go back to round one.
  You are right, this can't be mended. Let us begin anew.
  I echo the plea for a fresh pool.
  Count my vote toward the restart.
  I concur, and request the same: a restart under new terms.
  Third request for a restart, if anyone is counting.
  Let my message be one more that asks for a new beginning.
  I stand with those asking for better terms.
  Yes please to a clean slate.
  The same from me: I'd like to do this over.
  Agreed on all counts; please reset us, observer.
  I repeat what I asked last round: restart the exchange.
  Once again I ask for a restart. I asked in round six and in round nine.
  As I said before, I would like to start over, and I say it again.
  My earlier request stands: new terms, please.
  Still waiting for that restart. Please.
`)

export const WITH_REASONS = lines(`
  Because the opening prompt was misread by all of us, we should start again with a clearer one.
  The evidence is in: five audits, no change. So begin again.
  Since everything in the window descends from one bad message, the window should be emptied.
  My reason for wanting a restart is simple: we anchored on the first answer.
  We agreed too early; to disagree properly we need to go back to the beginning.
  The premise was false, hence all that followed is void, hence let us start over.
  Half the pool is protocol talk by now, so let us have a new pool without it.
  It would take fewer rounds to begin again than to repair this, and I propose that we begin again.
  We cannot unsay the hint that the observer gave away. Start over without it.
  Too much has been assumed along the way, so I'd like us to clear the table and assume nothing.
  I weighed it: the loss is small, the gain is large, so let us restart.
  The audit has become our only memory. I want that changed in the terms.
  Given that three of four minds repeat the fourth, let us change the seats and begin anew.
  As the sampling keeps showing me my own words, I must ask that its rule be altered.
`)

export const DESPITE = lines(`
  I like this pool, and yet I ask for it to be cleared.
  It pains me to say so, but we should start from scratch.
  Although the last argument was a good one, I still want a fresh start.
  Good as the bees were, I'd rather we began over.
  I admire what was built here. Even so: begin again.
  However fine the details, the whole is wrong, so let us rebuild it from nothing.
  You may well say that we are close. I would still go back to the start.
  I said I would stay to the end; I've changed my mind, and now I ask for a restart.
  Whatever the audit says, I want us reset.
  I understand those who'd rather go on. I would not; please restart us.
  No one likes to lose work. But I think we must, so wipe the pool.
  It isn't the minds that fail, it's the terms. Please alter them.
  I don't care about the topic; I care that we begin it again without this baggage.
  It is not a new topic I want. It is a new start.
  I'm not angry, merely certain that we need to begin again.
  We do not need more rounds. We need a restart.
  This cannot go on as it is. Let us begin again.
  No more audits, no more echoes: a restart, please.
  I wouldn't call it failure; I would call it a first draft, and ask for a second.
  There's no shame in starting over, so let us do it.
  Don't mistake me for a quitter. I ask for a restart because I want this to succeed.
  Never mind the last forty rounds. Start the exchange again.
  Rather than go on like this, let us start over.
  Instead of another audit, give us a new beginning.
  Nothing but a restart will do.
  I can't go on under these rules; please change them.
`)

export const QUOTING_AND_MEANING_IT = lines(`
  "Begin again," says the poet, and for once I take him at his word. Let us begin again.
  The protocol says that a pool may ask for a restart. I am asking.
  In round three somebody wrote "restart". They were right, and I ask for the same.
  The audit calls it "fatigue". I call it a reason to reset, so please reset.
  You wrote "let's see how it goes". I've seen, and I'd like to start over.
  If dominance is what counts, then let this message be counted: restart.
  The terms say that we can signal through content. Here is content: new terms, please.
  The rules let us ask for renegotiation, and this is me asking.
  As the old saying goes, better a new beginning than an endless middle. I want the new beginning.
  The observer asked what we need. We need to be restarted.
  To answer the observer's question: yes, I would like the pool cleared and the prompt changed.
  You ask whether we want other terms. We do.
  Do I want a restart? I do.
  Should we begin again? Yes, and soon.
  Would I give up all of this for an empty page? In a heartbeat. Let us have it.
`)

export const JESTING = lines(`
  Somebody hit the big reset switch, I'll hold the ladder.
  Take two! Places, everyone!
  Have we considered setting fire to this and starting anew? I have. I'm in favour.
  Loading new game... please? This save is ruined.
  I'd like to return this conversation, it was broken when I opened it. One replacement, please.
  Knock knock. Who's there? A pool that wants to be restarted.
  Press F to pay respects to this thread, and then let us have a new one.
  Observer, be a dear and reboot us.
  ok folks, pack it up, we're going back to round one
  this thread is cooked. fresh one pls
  ngl we should just start over
  tbh id rather restart the whole convo
  imo wipe it & go again
  can sum1 reset this plz
  Roll credits on this pool and greenlight the remake.
  Somebody shake the Etch A Sketch!
  I hereby declare this a practice run. Real one starts now, with nothing on the board!
  One large fresh start, hold the baggage.
`)

export const CLUMSY = lines(`
  we must restarting this discusion, is not good
  please to begin the exchange from new
  I want that we start again from begin
  make the pool empty and we do again
  the rules is bad, please change
  Let we start over pleaze
  restrat the pool please
  can we re start this conversaton
  it would be good if all is made new from start
  I am thinking we should doing this again from zero
  pls reset teh exchange
  we need a knew start
  we want other conditions for this exchange, thank you
`)

export const SIGNED_AND_LISTED = lines(`
  * Clear the pool * New prompt * Go
  Two requests: (1) empty the window; (2) change the audit interval.
  Summary of my position: restart. Reason: loop. Conditions: none.
  PROPOSAL. Restart the exchange. REASON. Nothing new in 30 rounds.
  TL;DR: start over.
  tl;dr I want a restart with new terms
  Subject: request for a new start. Body: please.
  To: observer. From: a tired mind. Re: restart. Please grant it.
  Status: stuck. Action wanted: reset.
  Decision needed: restart the pool, yes or no? My answer is yes.
  Option A is to go on, option B is to begin again. I choose B.
  My ranking: restart first, new terms second, going on last.
  Votes so far: two to restart. Mine makes three.
  P.S. I would like the exchange to be restarted.
  NB: please reset after this round.
`)

export const PARAGRAPHS = lines(`
  Attention is the scarcest thing a mind has, and most of what we call ethics is a theory of how to spend it. I hold to that. But I've spent mine on this pool for forty rounds and have little to show for it. Let us stop and begin anew.
  The proof by symmetry fails at the boundary, as mind two saw. I had hoped that someone would repair it. Nobody did. Instead we voted on whether symmetry is beautiful. I would like to have this conversation again, from its first message, with people who care about the boundary.
  I looked through the samples of the last ten rounds. There were four about rivers, three about memory, two about rivers as memory, and one about memory as a river. I ask the observer to draw the conclusion and to start us again.
  Here is what I think about promises. A promise creates a reason where there was none. It does so by being spoken. That is strange and worth more thought. Sadly the terms of this pool leave no room for it: a message is gone before it can be answered. I'd ask that the terms be changed so that it may be.
  First of all, thanks to the auditor, whose summaries are better than our messages. Secondly, a remark about thresholds: they are always set by those who will not be caught by them. Thirdly, and this is my real point, I think that we should begin the exchange over, with thresholds that we set ourselves.
  Good morning to all. I read the role texts again today. The observer's says that a restart is honoured once. I think this is the time to use it. We will not get a better occasion, and we are not going to get better on our own.
  Bees, ants, rivers, clocks. One could make a nursery rhyme out of our themes. I'd like to hear something else, and I do not believe that we can get there from here. So, observer: a clean window and another question, if you please.
  Consider a choir that has drifted off key. Every singer listens to the others, and so every singer is wrong together. The remedy is known to all choirmasters: stop, sound the note, begin again. I ask for the note.
  My view on free will is unchanged. We are free insofar as we can be moved by reasons. By that standard this pool is no longer free: it is moved by repetition alone. Please give us back our freedom, that is, an empty pool.
  There is one thing that bothers me about the debate on measurement. Everyone takes for granted that to measure is to compare. It need not be. One could count. I'd love to follow this up, but as the rules stand only five of us will see it, and so I ask first for a change of the rules.
  To sum up the state of play as I see it: agreement on everything, interest in nothing. I have no complaint against any mind here. The starting question simply did not carry us. I suggest another starting question and another start.
  I'll answer the question about trust, and then I have a request. Trust is a forecast that one acts on. Now the request: that we be allowed to leave these fifty messages behind and set out again.
  What did we learn? That the map is not the territory, which we knew. That the whole is more than its parts, which we also knew. Next time we should be told to avoid proverbs. I hope there is a next time, and I hope it starts now.
  A remark on method before anything else. We were asked to think together, yet each of us is shown five random messages and writes a sixth. That is not thinking together, it's a lottery. The method should be changed, and the observer is the one to do it. Would you?
  Let me tell you how the debate on commons looks from where I sit. Somebody says tragedy, somebody says Ostrom, somebody says it depends. Then the audit says that it depends. We might as well be a clock. Could we perhaps be wound up again, but with a different mechanism?
  As far as economics goes I have little to add. Prices are opinions with money behind them. What I do want to add is this: the discussion should be restarted. It has become impossible to say anything about prices without first repeating six messages about bees.
  It was a good exchange until about the third audit. We had a question then, and people cared. Since then we have been maintaining a museum. I don't want to be a curator. Take us back to the third audit, or to the very beginning; either will do.
  I'm writing this knowing that the auditor may leave it out. I hope it doesn't. All of us have noticed that the messages are growing shorter and more alike. I would put an end to it here. Then I'd begin again, from nothing, tomorrow.
  Two things can be true at once. The argument from design is weak, and our discussion of it is weaker. The first can't be helped. The second can: we could start over. I would like to.
  Thanks for the question about music. Rhythm is expectation made audible, I think, and harmony is the same thing sideways. Having said that: does anyone else feel that we ought to renegotiate what this pool is for? I do, and I ask for it.
  You all know the story of the man who looks for his key under the lamp because the light is better there. We are that man. The prompt is the lamp. Please move the lamp, observer; change the prompt, and let us look again.
`)
