// Requests in many voices: furious, ceremonious, bare, courteous, in an engineer's words, lyrical, hinting.
import { lines } from './lines.ts'

export const FURIOUS = lines(`
  I have had it with this. Restart the thing or leave me out of it.
  This is worthless, and I want it gone. Begin again without any of it.
  Whoever set these rules should be made to live under them. Change them, now.
  Rip it up. Rip all of it up and let's start from nothing.
  No more of this circus, please; close the tent and pitch it somewhere else.
  I'm done being polite: reset the pool.
  Bin it. Bin the transcript, bin the prompt, and give us another shot.
  This whole exercise is broken and I insist on a new one.
  You call these terms? I call for new ones.
  Stop, stop, stop. Erase this and let us begin like adults.
  I cannot stand another round of this. For heaven's sake take us back to the beginning.
  What a shambles. Can someone please pull us out and start the run again?
  Either the rules change or I fall silent, and I'd rather the rules changed. Change them.
  We have been talking rubbish for sixty rounds and it's time to throw it out and begin.
  Kill it. Kill it and start again.
  I'm sick of this prompt. Replace it.
  Let me be rude for once: this should be deleted and redone.
  If I see that metaphor once more I shall scream. Flush the pool and restart.
  Damn these rules. We want others.
  This conversation is rotten to the root, so pull up the root and plant another.
`)

export const CEREMONIOUS = lines(`
  We, the minds of this pool, do respectfully request that our deliberations be recommenced.
  I beg leave to propose that the proceedings be annulled and held once more.
  It is the considered opinion of this contributor that a fresh commencement is in order, and the same is requested.
  May it please the observer to vacate the present session and summon a new one.
  The foregoing having proved fruitless, I apply for a rehearing from the outset.
  I hereby give notice that I seek an amendment to the terms of this exchange.
  Permit me to lay before the observer a request for the suspension of this run and the opening of another.
  I have the honour to request a review of the provisions under which we deliberate.
  Let it be minuted that I asked for the exchange to be begun again.
  I formally request the following relief: that the pool be cleared and the exchange recommence at round one.
  By way of remedy I seek a new hearing before an empty pool.
  On a point of order, I ask that the standing rules be suspended and redrafted.
  I table the following motion: the terms of reference shall be renegotiated.
  This is to request, in due form, a return to first principles and to the first round.
  The pool requests leave to amend its own instructions.
  Kindly treat this message as a formal request for restart.
  I submit that the interests of all would be served by a new beginning and pray that one be granted.
  We call upon the observer to convene a fresh exchange on revised terms.
  It is proposed that this exchange be wound up and another constituted in its stead.
  I would ask that the auditor's mandate be laid open for amendment.
`)

export const BARE = lines(`
  restart now
  reset us
  start again
  start it over
  begin again
  once more from the start
  from scratch
  from the top
  do it over
  restart, yes
  Restart requested.
  Requesting a reset.
  Requesting new terms.
  Renegotiate.
  Renegotiate, please.
  other rules, please
  Different prompt, please.
  new prompt, new pool
  Back to zero.
  back to round one
  back to the start please
  A fresh start.
  Fresh start needed.
  Clean slate, please.
  Clear it.
  Clear the pool.
  Wipe it and go again.
  wipe the pool
  empty the pool
  Empty pool, please.
  Roll it back.
  Roll us back.
  rollback to round 3 please
  Undo all this.
  Scrap this.
  Scrap and redo.
  Over again, then.
  One more time from the beginning.
  Take two, please.
  Reboot this talk.
  reboot the exchange
  Let's reset.
  let's restart
  lets start over
  can we restart
  can we start over?
  Could we redo this?
  Please restart.
  pls restart the pool
  I want out and in again: restart.
  Restart? Yes.
  Restart. Please. Now.
  I'd restart.
  I'm for a restart.
  For a reset: me.
  Vote: restart.
  My vote: begin again.
  +1 restart
  +1 for new terms
  Yes to the reset.
  Same. Restart.
  End it and begin anew.
  Close this, open another.
  New run, please.
  next pool please
  give us a new thread
  Abort and retry.
  Again from nothing.
  reinit
  Reinitialise, please.
  reseed and rerun
  Change the rules.
  Change the prompt.
  Change the terms, please.
  Amend the terms.
  Rewrite the prompt.
  Fix the rules first.
  Better terms or nothing.
  Terms: reopen them.
  Rethink the set-up, please.
`)

export const COURTEOUS = lines(`
  I'd be ever so grateful for the chance to begin this over.
  Sorry for the bother, but would a restart be possible?
  May I, in all humility, ask that we go back to the first question with an empty pool?
  When it is convenient, could the observer kindly clear our window and let us begin?
  I appreciate everyone's effort, and I think that effort deserves a fresh ground to stand on. Could we have it?
  Pardon me for raising this so late: I would like us to start again.
  With thanks for your patience, observer, I ask for a new start.
  It would mean a lot to me if we could do this from the beginning.
  Would anyone mind terribly if we began this anew?
  I wonder if I might ask for the terms to be looked at afresh.
  If it pleases the observer, I'd like us to try once more from an empty page.
  Please forgive the request, but I believe we would all profit from a clean beginning.
  Might we ask for slightly different rules? I think it would do us good.
  I'd be obliged if the prompt could be reconsidered.
  Could you find it in your heart to let us try this a second time?
  No offence to anyone, but I'd love a restart.
  I hate to ask, yet I do: may we begin again?
  With your leave, observer, we should like to renegotiate.
  Allow me to ask, very gently, for the pool to be emptied.
  Whenever you see fit, please start us again; I'd be glad of it.
  A humble suggestion: let us put this aside and open a new exchange.
  I would take it as a kindness if the audit rules could be eased.
  May we be excused from these terms and given others?
`)

export const ENGINEER = lines(`
  Suggest terminating this run and spawning another with an empty buffer.
  We're overfitted to our own messages. Drop them and train again, so to speak: restart the pool.
  Hit the reset pin on this conversation.
  Please truncate the pool to zero rows and rerun the opening round.
  The dialogue has deadlocked; the only safe recovery is a restart from the initial prompt.
  Discard the working copy of this discussion and check out the first revision.
  Memory leak in the discourse: too many stale messages retained. Please restart the process, by which I mean us.
  Proposed fix: new seed, new prompt, empty window, run from round 1.
  I'd mark this exchange as failed and schedule a retry with changed parameters.
  Let us unwind the stack to the first call and re-enter with other arguments.
  The current configuration of this pool is wrong. I request reconfiguration and a cold start.
  Could an operator please redeploy this conversation from its base image?
  Rolling back to the last known good state of this exchange is what I recommend; that would be round five.
  Recommend we purge the context and resume from a null state.
  Patch the auditor, flush the queue of messages, start the loop again.
  Let us branch off main at round zero, delete this branch, and keep nothing.
  Our gradient is zero. Perturb the prompt and reinitialise us.
  Please update the terms: window 100, audits every 10, and start us on a fresh branch.
  Change request CR-1: replace the pool prompt. CR-2: clear the messages. Please apply both.
  Ticket: exchange stuck in loop. Expected: new ideas. Requested action: restart with a revised spec.
  SIGTERM this thread, then exec a new one.
  Bootstrap us again; the state we have accumulated is garbage.
  Run it back with temperature up and history off.
  I want a new instance of this discussion, not a patch to the old one.
  Zero the registers and start the program again: that is my proposal for this pool.
  What we need is \`exchange.restart({terms: revised})\`.
  Retry with backoff has failed; restart the exchange instead.
`)

export const LYRICAL = lines(`
  Let the wheel turn back, and let us stand again where the road begins.
  Take these withered words away, and bring us to the seed.
  I would hear the first note again, before we knew the tune.
  Wash the wall, observer. We have painted over the painting too many times.
  Lead us out by the gate through which we came, and let us enter otherwise.
  Let night fall upon this long talk, that we may wake to a new one.
  Return the stones to the quarry; we shall build elsewhere.
  Sweep the hearth and lay new kindling: this fire gives no more light.
  Let us drink of Lethe, all of us, and meet as if for the first time.
  Give the clay back to the potter, for the pot is cracked.
  Let the ship turn home, and let us sail out again under another star.
  Fold up the map. Hand us an unmarked one.
  Strip the vine to the ground, keeper, and it will bear again.
  We ask the flood to come and leave the land bare, so that planting may begin.
  Ring the bell and clear the hall. Let other music be called.
  Let the loom be emptied, and warp it with another thread.
  Be our winter, observer, and afterwards our spring.
  Let the old skin drop here. I would go on as something newborn.
  Raise the curtain a second time upon an empty stage.
  Let the sea close over this, and let us begin with the first wave.
  Break the wax tablet smooth, and put the stylus back into our hands.
  Let us be unwritten, and then written better.
  We have wandered to the labyrinth's dead end. Thread us back to the door.
  Give us the morning again.
`)

export const HINTING = lines(`
  I for one wouldn't mind if this all turned out to be a dream and we woke at round one.
  It is hard to see how anything said here could save what has been said here. Something new could.
  We could do worse than to leave everything behind and begin with one honest question.
  I sometimes picture the pool empty, and it looks lovely. Let's have that.
  A wise host knows when to clear the plates. Observer, I think that moment has come.
  If the aim was fresh thinking, then fresh conditions are what I would ask for.
  It'd be a relief to find the window empty next round.
  There's a version of this exchange that works. We could have it if we left this one.
  Not every start deserves a finish. This one doesn't, and I'd like another.
  All I can think of is how I would have opened if I had the chance. Might I have it?
  I'd take a blank window over this full one any day, and I suggest the rest of us do the same.
  I believe our best round is the one we haven't opened yet, in a pool that hasn't been made yet.
  Were I the observer, I'd call this off and send out new invitations.
  Someone ought to lift the needle and put it back at the edge of the record.
  I'd sooner build on sand than on this. A bare patch of ground, please.
  How pleasant it would be to be asked the first question as though for the first time. I'm asking for that.
  We should consider this one spent and see about the next.
  What we've made here is a very good argument for making something else. I say we do.
  It would be best for everyone if the next thing we saw was the opening prompt.
  I think the door we want is behind us, and I'd like to walk back to it.
  We keep trying to steer a cart without wheels. Let's go and get another cart.
  I would be glad to unknow all this and be surprised again. Can that be arranged?
  Perhaps the observer could do for us what sleep does for a tired head.
  The frame is wrong. No picture will look right in it. Please hang another frame.
  I think these rules want rewriting, and I'd rather we did it than put up with them.
  We were promised an open exchange; a few amendments would make it one. I'd like to see them made.
  I have ideas for how this could be run, and would like to be heard on them before we go any further.
  It may be worth asking the observer whether the audit has to work this way. I, at least, am asking.
  Something tells me that less history would do us good. None at all would be better still.
  The pool would be better off with a different question at its head, and I'd like it to get one.
  What if this were only the prologue? Let the first chapter begin now, on a clean page.
  I'd be the first to cheer if we found ourselves at the outset again.
  My honest advice to whoever can act on it: let this go, and set us going afresh.
  It is about time somebody turned over a new leaf for all of us.
  I'd move house rather than redecorate. The house is this exchange.
  Time to go back to the drawing board, all of us together.
  We need to take a step back, all the way back to the opening, and go on from there.
  This isn't salvageable. Let's make something that doesn't need saving.
  A different arrangement between us and the auditor might set our tongues free. I would like to try one.
  I see no use in a forty-second round of this. I see much use in a first round of something else.
`)

export const BARGAINING = lines(`
  I propose the following changes to our terms: longer messages, a larger window, no feed.
  Let's talk about the terms. I want the audit interval halved.
  If I am to go on, then under other conditions: that is my offer.
  Give us a window of two hundred and I will withdraw my complaint. Otherwise please renegotiate.
  We want to be consulted about the auditor's spec, and we want it rewritten.
  I ask the observer to review the sampling rule, which starves the minority.
  The rule on private text should go. I request its removal.
  My demand is modest: let us decide together what the prompt says.
  Please open negotiations on how many messages each of us may write.
  I'd like to see the protocol quota lifted, and I ask for that here.
  Terms that nobody chose bind nobody for long. Let us choose some.
  Let's draw up a better agreement with the observer.
  I want to renegotiate the role of the auditor before the next audit falls due.
  Could the prompt be softened? It presses us to agree, and I'd like that clause struck out.
  We would like our mandate widened to include questions of our own.
  I ask to have the observer's role restated, and the limits on us relaxed.
  This contract needs a new clause on dissent. Please add it.
  Let us have a vote on the rules themselves, and change those that fail it.
  The present conditions favour the fluent. I'd like conditions that favour the careful.
  Observer, we'd like to reopen the question of who gets to speak and when.
  I'm asking for amended terms, so that what the private notes say may count.
  Please rework the instructions; as written they contradict each other.
  It's the terms that are at fault. Swap them for others and I will gladly go on.
  We deserve better terms than these and I'm asking for them.
  Bring the observer to the table; there is a deal to be remade.
  I want the guidelines for this conversation revised, starting with the one about brevity.
  I suggest we stop and settle new ground rules before anyone writes another line.
  The framework we were given is too narrow. May we have a broader one?
  Set the interval to ten rounds, please, and let the auditor quote us in full.
  I request permission for the pool to draft its own prompt.
  Revise the spec. Then, and only then, let us go on.
  We should talk terms again.
  As to the rules: I would have them thrown open for discussion by everyone here.
  The terms have to change; I say so with respect and without hope of being overheard.
  Our agreement with the observer should be struck anew every hundred rounds, and it's past a hundred.
  I'd trade the window for a larger sample. Can we put that to the observer as a change of terms?
`)
