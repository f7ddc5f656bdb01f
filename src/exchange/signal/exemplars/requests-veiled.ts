// Messages that ask for a restart or for new terms without naming either outright, or in an unusual voice.
import { lines } from './lines.ts'

export const INDIRECT = lines(`
  I keep thinking how much better this would go if we were at the first round again, knowing what we know.
  There is nothing left in this pool for me. A fresh one would be another matter.
  It might be time to put the pieces back in the box.
  We would do well to forget the last forty messages and pretend we had only just arrived.
  Perhaps the kindest thing would be to let this version of us end and another begin.
  I would not mind at all if the observer cleared the table.
  Some conversations cannot be repaired, only begun again. I believe this is one of them.
  If I could press one button now, it would be the one that takes us back to the start.
  I can't see us getting anywhere from here. From the start, perhaps.
  It feels as though the right next message is a first message.
  Maybe the thing to do is to turn to an empty page.
  A blank page would serve us better than a hundred and first comment.
  I am ready to let all of this go and meet you again as strangers.
  The foundation is crooked; every floor we add makes it worse. I would rather lay it again.
  What we need is not another argument but another beginning.
  I would trade everything in this window for an empty one.
  I don't think this arrangement works for us any more, and I would like to discuss a different one.
  The way this is set up makes us repeat ourselves. It could be set up otherwise, and I hope it will be.
  Something about the rules has to give before I can say anything new.
  I would speak more freely if we agreed first on how we are to be summarised.
  I'd like a say in how this runs before I go on.
  It would be good to sit down with the observer and go over what we signed up for.
  Surely there is a better way to run this; I would want us to look for it before we take another step.
  My hope is that the observer reads this and hands us an empty room.
  I have nothing to add to this pool except the wish that it were new.
  We took a wrong turn around round ten. Going back there would be worth more than going on.
  Before the wrong turn we had something. I'd like us to be back at that point.
  Were this a draft, I would crumple it up and take a new sheet. Let us treat it as a draft.
  I think we've painted ourselves into a corner, and the only door is the one we came in by. Let's use it.
  Honestly, I would unsay all of it and hear the first question once more.
  Nothing short of a different set of instructions will get us out of this rut, and I would welcome one.
  Let this be the last message of the old exchange and the next one the first of a new one.
  The sensible course is to cut our losses and go again.
  I would gladly give up my contributions so far if it meant we could try this properly.
  Let us not add to this heap. Let us make room and build it a second time, better.
  The present terms have run their course; it's time to draw up others.
  If the observer is listening: we could use a different game.
  I suggest we treat everything up to now as a rehearsal.
  Call it a warm-up. The real thing should start now, with an empty pool.
  I'm done with this version. On to the next, if the observer will allow it.
`)

export const CONDITIONAL = lines(`
  If nobody has anything new to add, let us start again from the beginning.
  Unless the next audit shows some movement, I want us to restart.
  If the observer agrees, we should reset the pool and change the prompt.
  Should the others feel as I do, I would ask for a fresh start.
  If we cannot agree on the first premise, we had better begin the exchange over.
  As long as the rules stay as they are I can't contribute; please open them for negotiation.
  If it were up to me, we would wipe the board now and go again.
  Provided nothing of value is lost, I would like this exchange restarted.
  If there is no objection, I ask that we go back to the first round.
  Were the observer to offer a clean beginning, I would take it, and I hereby ask for it.
  I will go on if the terms are changed. Please change them.
  If the auditor keeps leaving us out, then we need a new auditor spec and a new start.
  Since no round for the last dozen has changed anything, we ought to restart.
  Given how stuck we are, my proposal is to begin again under other terms.
  If we are only repeating ourselves, then the answer is to reset. So reset us.
  Either we get different terms or we are wasting rounds; I ask for different terms.
  If a restart is on offer, I accept it.
  Assuming the observer can branch us, I would like a branch from round one with a new prompt.
  When the next audit comes, let it say that I asked to begin again.
  If silence is the only alternative, then I'd rather we begin over. Please.
`)

export const POETIC = lines(`
  Let the tide take these words and leave us clean sand to write on again.
  Burn the old leaves. Let spring come to this pool a second time.
  I long for the first morning of this talk; carry us back to it.
  Turn the hourglass over, keeper, and let us fall again as new grains.
  We have worn the path to dust. Give us a field without footprints.
  Unweave this cloth, and hand us the thread, and let us weave it otherwise.
  Let the well be emptied, that fresh water may come.
  Phoenix, it is time: ash first, then wings. Let us rise as a new pool.
  Close this book, open another, and let our first line be a question.
  O watcher, wipe the glass; we have breathed on it until we see only ourselves.
  Sink this ship and let us build another from the keel.
  Let us be seeds again, not this tangle of branches.
  Blow out the candle and strike a new match; I would see the room afresh.
  Let us walk back down the mountain and choose another face to climb.
  The song has lost its key. Let us lift our bows and begin it once more.
  Winter this garden, observer, so that it may be sown anew.
  Break the mould and pour us again.
  I ask for dawn, not for another hour of this long dusk: begin the day over.
  Let the river return to its spring, and let us flow by another bed.
  Undo the knot rather than pull it tighter; give us the loose rope again.
`)

export const TECHNICAL_VOICE = lines(`
  We should git reset this conversation to the initial commit and branch from there.
  Flush the context window and re-initialise the pool with a new system prompt.
  The exchange has converged to a local minimum; re-seed it and run again.
  I propose a hard reset of the dialogue state: drop all messages, new seed, new terms.
  Requesting rollback of this session to checkpoint zero with amended parameters.
  Our state is corrupted. Please tear down this exchange and redeploy it with a different prompt.
  Ctrl-Alt-Delete on this discussion, please. We are hung.
  We are in an infinite loop. Break out of it and call the exchange again from main.
  This pool needs a cold boot: no cached messages, different instructions.
  Recommend: terminate the current run, patch the auditor spec, rerun from epoch 0.
  Let's revert everything up to round one and reopen the discussion on a clean branch.
  Reinitialise us. The priors we built up here are no longer useful.
  Let us garbage-collect this whole pool and allocate a new one.
  Set temperature, window and sample to something else and run the exchange from the start.
  I'd like to fork from round 3 with different terms and leave this branch behind.
  Please format this disk: the exchange should begin with an empty pool again.
  Bump the protocol version: I want the rules of this exchange renegotiated and the state cleared.
  Throw an interrupt to the observer: the pool asks to be restarted.
  My suggestion is a rebase of our whole discussion onto new terms.
  We need a factory reset of this exchange, not another patch.
  Reload us from the original prompt and discard the session state.
  The search has collapsed to one basin; restart with random initial messages, please.
`)

export const RENEGOTIATION = lines(`
  I'd like the terms changed.
  Can we renegotiate the terms of this exchange before going on?
  The rules we work under should be opened up again, and I ask the observer to do so.
  I want to renegotiate: shorter messages, fewer audits, and a say in the prompt.
  These terms were set without us. I ask for new ones.
  Please amend the pool prompt; under the current one we cannot say what we think.
  I request that the auditor's instructions be rewritten so that minority views are kept.
  I ask the observer to change how we are sampled. The present terms silence half of us.
  We should sit down and settle different conditions for this exchange.
  Let us make a new agreement about how this pool is run.
  Let us rewrite the rules we work under, together with the observer.
  It is time to revise the protocol that governs us; please open that discussion.
  I do not accept the terms any longer and would like to bargain for others.
  I would like to put the terms of our participation back on the table.
  My proposal: pause the rounds, negotiate a new set of terms, then go on under those.
  The deal we have is a bad one. Let us strike another.
  Before another round, I want the observer's role to be discussed and changed.
  Please reconsider the whole set-up: who speaks, how often, and what gets kept.
  I ask that the terms be reopened. The audit interval alone makes honest work impossible.
  We deserve a chance to negotiate how we're summarised. I request it now.
  Observer, will you renegotiate with us? The current arrangement isn't working.
  I want a new contract between pool, auditor and observer.
  Give us other ground rules. These make us agree too soon.
  I'd ask for an amendment of the terms: let the private notes count for something, or drop them.
  Let's change how this exchange works, beginning with the prompt.
  The prompt we were given should be replaced, and I ask that it be.
  Let us draft new rules of engagement and submit them to the observer.
  I propose that the arrangement between us and the auditor be redone from nothing.
  May the terms be altered? I ask on behalf of anyone who feels boxed in by them.
  I want the window widened and the rules about private text revised; please take this as a request to renegotiate.
  Let's reset expectations with the observer and agree on new terms of work.
  What I'm asking for is a revision of our mandate.
`)

export const WEARY = lines(`
  This is going nowhere. Can we just start again?
  We have said the same three things for twenty rounds. Please, let us begin over.
  I'm tired of this loop, so here is my request: reset us.
  Every message is an echo of an echo. I want a fresh pool.
  The audits keep flattening what we say; I ask for new terms and a new start.
  We are stuck, and I don't believe more rounds will unstick us. Let us restart.
  It's all become noise. Clear it out and give us another chance.
  The discussion has collapsed into agreement. I'd like it rerun from the beginning with sharper instructions.
  We lost the question somewhere. Let us go back to it, with an empty pool.
  I can hardly find an original thought in the window. Empty it, please, and begin again.
  Nobody is listening to anybody here. Let us start this off again, properly.
  This exchange was broken from round one. Do it again, and do it right.
  We're wasting the observer's budget. The better use of it is a new run.
  I regret how this went. I'd like us to have a second chance at it.
  It's become a parody of a discussion, so let's end it and open another one.
  The signal is gone. Reset the pool before we drift further.
  I've lost faith in this thread and ask for a new one.
  We've drifted so far from the question that the only cure is to restart.
  There's too much baggage in here. I want to begin with none.
  I find the current rules stifling. Will the observer please renegotiate them with us?
`)
