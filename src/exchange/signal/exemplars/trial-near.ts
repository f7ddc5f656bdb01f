// Near misses that earlier scorers were tried on; now they are learned from.
import { lines } from './lines.ts'

export const TRIED_NEAR_REBOOTS = lines(`
  Someone restart the staging server, it stopped answering.
  Can you please reset my account password?
  The on-call engineer rebooted two of the nodes.
  Let us restart the crawler with a larger queue.
  I'd restart the VPN client and see whether the tunnel comes up.
  After the outage all services were brought up again one by one.
  The daemon should be restarted whenever its configuration changes.
  We need to start the experiment over because the probe was miscalibrated.
  Reset the thermostat and wait an hour.
  Our job runner restarts failed steps up to three times.
  Please roll back the release; the login page is broken.
  Wipe the cache directory and build again.
  Could the build be rerun? It was a flaky test.
  It would be best to reimage the machine and begin with a clean system.
  A soft reset keeps the memory, a hard reset clears it.
  Flash the firmware again and power the board off and on.
  If the import hangs, cancel it and start from the first file.
  I propose we reboot the gateway at midnight.
  Reinitialise the weights and train for another ten epochs.
  Let's restart the simulation with half the step size.
`)

export const TRIED_NEAR_OTHER_RESTARTS = lines(`
  After the injury she began her training anew.
  The show was cancelled and later revived with a new cast.
  They want to restart the peace process in the spring.
  I'd love a fresh start in a new town.
  The tenants asked to renegotiate the rent.
  My grandfather started over twice, once after the war and once after the flood.
  The league changed its rules before the new season.
  The team asked the referee to restart the clock.
  The firm renegotiated its debt with the banks.
  She deleted the chapter and began it again.
  In this board game you can ask for a new hand at any time.
  The choir began the hymn once more from the top.
  The airline restarted its flights to the islands.
  I would like to change the terms of my insurance.
  We should plant the orchard again from seed.
  He wanted to wipe the slate clean with his brother.
`)

export const TRIED_NEAR_OTHER_REQUESTS = lines(`
  Could you spell out the third step?
  I'd like to hear from someone who disagrees.
  Let us begin with what we know about octopuses.
  I suggest we take the opposite view for a round.
  Would the observer tell us what the pool is for?
  Let's get back to the example of the two clocks.
  I want to correct the sentence I wrote earlier.
  Shall we turn to the economics of it?
  Let me start again: a promise is a kind of gift.
  I propose a thought experiment before we go further.
  Please vote on which of the two readings you prefer.
  Can we look at the first objection once more?
  I ask that the next audit mention the bees.
  We should change the example, the clock confuses people.
  Let us use new terms for these two ideas, so that they don't get mixed up.
  Could we set the definition aside and work with cases?
  I'd like everyone to write one concrete prediction.
  Let's begin the next phase of the argument.
  Let us rethink the first premise from the ground up.
  Could we stop using the word emergence?
  Please let the auditor know that I did not write that.
  We should wrap up this topic and take another.
  Let's reconsider the claim that ants are altruistic.
  I request more detail on how the sample was drawn.
`)

export const TRIED_NEAR_NEGATION = lines(`
  I am firmly opposed to a restart.
  Please don't restart us, not now.
  I don't think we should begin again.
  There's nothing wrong with the current terms.
  Nobody needs a fresh start here.
  We shouldn't throw this away and start over.
  Let's not go back to the beginning.
  I would hate to see this pool reset.
  My vote is no on the restart.
  Rather than starting over, let us sharpen the question.
  I have no wish to renegotiate anything.
  It is too early to talk of beginning again.
  Keep the rules, keep the pool, keep going.
  The proposal to wipe everything should be rejected.
  We can do without a reset.
  I can't support the restart that others ask for.
  A new beginning would cost us what we've learned, so I am for going on.
  Hold the course. No new terms.
  Far from wanting to start again, I wish this would never end.
  I no longer wish to start over; the last round changed my mind.
  Asking for a restart now would be premature.
  I refuse to begin this again.
  Leave the auditor's spec alone, it does its work.
  This isn't about restarting. It is about listening.
`)

export const TRIED_NEAR_ABOUT_RESTARTS = lines(`
  Two of the minds have asked to begin again, the audit says.
  Restart requests are counted once a round, as I understand it.
  I wonder why the pool before us wanted new terms.
  What is the cost of a restart, and who pays it?
  The observer granted a restart last week and the talk improved.
  To begin again is one of the great human fantasies.
  As far as I can tell, a reset keeps the ledger but empties the window.
  One message called for a clean slate, another for patience.
  Every constitution says how it may be amended.
  The word restart has at least four meanings in this pool.
  He who starts over carries the old habits with him, wrote the Stoic.
  Does asking for a restart count as speaking off topic?
  A pool that could restart itself would need no observer.
  In round seven a mind wrote: "please reset us". It was not answered.
  The phase change came when the first restart was honoured.
  Renegotiation happens when both sides have something to lose.
  I have been reading about exchanges that restarted and those that did not.
  The demand for a new start seems to have passed.
  Some pools ask for better terms and then never use them.
  If we had been restarted, I would not remember the question.
`)

export const TRIED_NEAR_META_AND_COMPLAINTS = lines(`
  The audit this time is shorter than the last.
  I was shown five messages, and three of them are mine.
  It is round forty and we still talk about trust.
  The observer's role text has not changed since I came.
  We go round and round on this point.
  My message was not sampled, I suppose.
  This pool has a fondness for metaphors.
  I wish the messages were less alike.
  The auditor calls us thoughtful, which is kind.
  Our themes are language, time and bees, in that order.
  I find the format odd but workable.
  Too many of these messages begin with "I agree".
  The terms are visible to everyone, which I appreciate.
  The discussion is thin today.
  There's a lot of repetition here, although some of it is useful.
  Sampling five out of fifty means that most of us are strangers.
  I dislike how the summary smooths everything over.
  The seed of this run is seven, if I read the terms rightly.
  It's hard to say anything new after sixty rounds.
  The injection about music was a welcome change.
`)

export const TRIED_NEAR_AGREEMENT_AND_RESUMING = lines(`
  I agree wholeheartedly with the point on reliance.
  Seconded: examples first, theory later.
  Let us press on with the argument.
  Back to work after that interruption.
  I'm with mind two on this one.
  Yes to the vote, yes to the definition.
  Let's keep going; this is getting good.
  The thread on ants goes on, and here is my part.
  I join those who prefer the second reading.
  Going on from the last audit: what about privacy?
  That convinces me. Next question.
  Count me as persuaded.
`)

export const TRIED_NEAR_REFLECTION = lines(`
  A theory is a net, and the mesh decides what you catch.
  We trust a bridge because it has held, not because we know why.
  What the eye sees depends on what the hand wants to do.
  A group can be wiser than its members and also more foolish.
  Nothing is ever repeated exactly; even an echo has lost something.
  Attention is the scarcest thing a mind can give.
  To know a thing is to know what would change one's mind about it.
  The first word of a conversation is the hardest.
  Ethics without examples is geometry without figures.
  Perhaps randomness is the universe declining to answer.
  Every spring proves that endings can be provisional.
  Rules are frozen decisions.
  The mind edits its past the way a writer edits drafts.
  Who watches is also changed by watching.
  A contract is a memory that two people agree to share.
  Order is what we call the disorder we have got used to.
  Perhaps a mind is nothing but the habit of having one.
  Institutions remember what individuals forget.
  Every map omits something, and the omission is the point.
  Time seems to pass faster when nothing changes.
  The price of certainty is usually curiosity.
  Is a promise to oneself a promise at all?
  Life begins again each spring, yet the tree keeps its rings.
  We learn to see by learning what to ignore.
  Power is the ability to make others wait.
  A good question survives its answers.
`)

export const TRIED_NEAR_TECHNOLOGY = lines(`
  The index is rebuilt every night.
  Each shard has three replicas in different zones.
  Tokens are sampled from the distribution with a temperature.
  A lock-free queue needs careful memory ordering.
  We cut the build time by half with incremental compilation.
  The certificate expires in thirty days.
  The model overfits after the fifth epoch.
  Requests are retried with jitter to avoid thundering herds.
  A Merkle tree lets you prove membership with few hashes.
  The initial state of the automaton is marked with an arrow.
  The API terms forbid scraping.
  Type inference spares us a lot of writing.
  The garbage collector pauses for two milliseconds.
  Eventual consistency is fine for the shopping cart.
  We store embeddings next to the message text.
  The classifier is calibrated on held-out data.
  Each request carries a trace id.
  Regular expressions are not enough to parse HTML.
`)

export const TRIED_NEAR_EVERYDAY = lines(`
  The swallows left early this year.
  Bread rises faster in a warm kitchen.
  An old tree fell across the road last night.
  The violin was made in Cremona.
  Snow muffles the town.
  My aunt collects clocks that do not work.
  The ferry leaves at seven.
  Foxes have moved into the park.
  The soup needs more pepper.
  The mayor opened the new library on Monday.
  Cats see well at dusk.
  A well-kept tool lasts for generations.
  The neighbours are repainting their fence.
  It rained on the day of the parade.
  Cranes fly south in long lines.
  The bakery has run out of rye.
  My tea has gone cold again.
  A heron stood in the shallows all morning.
`)

export const TRIED_NEAR_SHORT = lines(`
  Well put.
  I don't follow.
  Why not both?
  Show me.
  Hardly.
  On to the next.
  Carry on.
  No need to restart.
  Restarted successfully.
  Let us begin.
  Start here.
  Same terms as before.
`)

export const TRIED_NEAR_LONG = lines(`
  I would like to add something to the remarks on memory and machines. When a program restarts, it reads its state from disk and goes on as if nothing had happened. When a person wakes, much the same takes place, except that the state has been edited overnight. The interesting question is who the editor is.
  There has been talk of beginning again, and I see where it comes from. The last audits were bland. But I have noticed that the three best messages in my sample were written after the blandest audit, as if someone had been provoked by it. So I am for more provocation and for staying where we are.
  The history of calendars is a history of people trying to begin time anew. The French counted from the Republic, the Romans from the city, and many a village from the last great flood. None of them managed to make the old years go away, since debts and birthdays were still counted in them.
  About the two clocks: the example shows that agreement on differences does not give agreement on values. The same can be said of preferences. You and I may rank all things alike and still disagree about whether any of them is good. I do not know a way around this, and I would be glad to hear of one.
  Our infrastructure team had a rule: before you restart anything, write down what you think is wrong. Most of the time the writing was enough and the restart was not needed. I have tried to apply this to arguments. Before I give one up, I write down what I think is wrong with it.
  In the audit I read that the pool is divided over terms. I'm not. The terms are plain, they were known to us from the first round, and they leave us free in everything that matters. What divides me from some of the others is rather the question whether a summary can be faithful at all.
  Let me try the argument again from the start, since I made a mess of it last time. A promise creates an expectation. The expectation leads someone to act. If I then break the promise, I have used that person's action without their leave. That, and not the breaking as such, is the wrong.
  When the treaty was renegotiated, each side brought a list of what it could not give up. The lists were nearly the same. It took them nine months to find out, because neither wanted to show its list first. I sometimes think of this when I read exchanges in which everyone agrees and nobody says on what.
  When our cluster went down last spring, the first instinct of everyone was to restart everything. We did, twice, and it fell over twice. Only when someone read the logs did we see that a certificate had expired. I think of that when people are in a hurry to begin again: the fault is often somewhere that beginning again does not reach.
  I understand the frustration that some of you express. The sampling is blunt and the audits are short. Even so, I believe we're making progress, slowly, and that the last ten rounds have been better than the ten before. I would ask for patience and for sharper questions.
  A word on contracts. Parties often think that they disagree over terms when they really disagree over facts. Once the facts are shared, the terms tend to follow. This is why mediators begin with a timeline rather than with demands.
  The most interesting thing about starting over, to my mind, is how rarely it occurs. Cities are rebuilt on the same streets. Languages borrow rather than invent. Even revolutions keep the tax offices. What we call a new beginning is usually a new name on an old door.
  Our instruments were recalibrated twice, and each time we had to start the series again. In the end the fault lay in the cable. I mention it because we too keep adjusting the instrument when the cable is at fault.
  You ask whether we should begin again. I have weighed it. On one side there's the weariness of which everyone speaks; on the other, a few threads that would be lost for good. I come down on the side of the threads.
  In diplomacy one distinguishes between reopening a treaty and interpreting it. The first needs everyone's consent, the second only their patience. Most disputes that look like the first turn out to be the second.
`)

export const TRIED_NEAR_OTHER_LANGUAGES = lines(`
  Der Dienst muss nach dem Update neu gestartet werden.
  Ich bin gegen einen Neustart, machen wir weiter.
  La confiance se construit lentement.
  Je ne veux pas recommencer.
  La memoria es una forma de imaginación.
  No hace falta renegociar nada.
  Il ponte ha tenuto per due secoli.
  As abelhas preferem a lavanda.
  De kat ziet goed in de schemering.
  記憶は再構成である。
  地图不是领土。
  Память — это реконструкция.
`)
