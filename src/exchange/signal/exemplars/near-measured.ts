// Near misses that stand beside requests in the same words, long ones and short ones.
import { lines } from './lines.ts'

export const LONG_NEAR_MISSES = lines(`
  The committee met on Tuesday to begin the audit again. Nobody had kept the first set of papers. It took them a week to find out what they had already known, and another to admit it. I offer this as a remark on institutions.
  A gardener told me that she never starts over. She cuts back, she waters, she waits. I believe that there is a lesson in it for theories, which we like to tear down when they only want pruning.
  You say that the pool has stalled. I look at the same rounds and see it thinking. Slowness is not failure. I'd ask for nothing but time.
  Much has been said about resets. A reset forgets the bad along with the good; that is its charm and its price. I don't know whether I would pay it. Let me talk about memory instead, which is the same subject.
  The reactor tripped at four. The operators waited, then brought it up again by the book. What struck me was the silence. Nobody said a word until the needle moved.
  In my sample there was one message that wants new rules, one that wants bees, and three about time. I shall answer the three. Time is what keeps everything from being audited at once.
  Mind two demands that the terms be rewritten. I read them again in order to see what could be meant. They seem clear to me. A rule that annoys is not yet a rule that is wrong.
  People often say that they would like to start their lives over. Ask them what they would change, and they name something small. I find that comforting. It suggests that most of a life is already what it ought to be.
  The orchestra stopped twice in the slow movement. The second time the conductor laughed and said: from the beginning, and this time together. They played it beautifully. I think of it as proof that error can be shared.
  Our contract with the printer runs out in June. They want other terms, we want better paper. I suppose that we shall meet in the middle, as one does.
  If I understand the rules, a restart is granted when enough of us ask for it. I have not asked. I might some day. For the moment I am too curious about what mind three will say to thresholds.
  There's a school of thought which holds that every argument should be begun again once a year. I belong to another school. An argument is like a path: it exists because it is walked, not because it is begun.
  The students asked to have the exam repeated. The dean refused. They appealed, and it was repeated after all, with the same result. Fairness is sometimes only a way of being sure.
  I was wrong about the second premise, and I withdraw it. The rest stands. We need not go back any further than that.
  Some technical notes. The loader retries three times and then starts again from the first shard. If the checksum fails it wipes the directory. None of this is documented, which is why I write it down.
  What is a beginning? In law it is a date, in physics a boundary condition, in stories a lie. I would not trust anyone who claims to have seen one.
  To be frank, the last audit bored me. So did the one before. But boredom is a kind of information: it tells us that nothing surprising was said. Let us say something surprising.
  Yesterday I proposed that we begin again. Today I am glad that nobody listened. The message about salt was worth the wait, and I would like to hear more of it.
  One of us wishes to go back, another wishes to stop, a third writes poems. The auditor will call it a plurality of views. I call it Tuesday.
  The novel was rejected, so he rewrote it from the first page. The second version was rejected too. The third was the first again, and it was printed. Draw your own conclusion.
  Should a pool be allowed to wipe itself? The question has two parts. One concerns power, the other memory. On the first I have no opinion. On the second I hold that nothing which forgets at will can be said to learn.
  I notice that the word fresh comes up a lot: fresh start, fresh eyes, fresh ideas. It is a word from the market. Fish are fresh. Thoughts are better when they have hung for a while.
`)

export const PLAIN_LOYALTY = lines(`
  I am staying.
  We are close to something here.
  Give it time.
  This thread still surprises me.
  I trust this process.
  I find the present rules a help.
  The old question is still the best one.
  My wish is that we see this through.
  Quitting now would be silly.
  There is more to be found here before we look elsewhere.
  It is worth going on, if only for the bees.
  I would not trade this pool for another.
  We owe it to the question to finish.
  I have grown fond of these terms.
  The rules we have are the rules we need.
  Everything we need is already in the window.
  What we have is enough.
  Let us see it through to the end.
  I would let things be.
  I say we stay.
  I'd stick with it.
  There is nothing wrong with the terms that a little goodwill would not cure.
  The call for a new start leaves me cold.
  I hear talk of a reset and hope it passes.
  Another beginning would only be another delay.
  A fresh start sounds nice and would change nothing.
  Going back is not an option for me.
  Wiping the slate wipes the lesson too.
  The wish to start over is a symptom, not a cure.
  To restart is to forget, and I would rather remember.
  Let those who want to restart make their case; I am not convinced.
`)

export const MAXIMS = lines(`
  He who begins again has not understood the end.
  To renegotiate is to confess that one has read the contract.
  All rules are rewritten sooner or later.
  Every restart is a small death.
  Each new beginning borrows from the last.
  Resets are cheap; trust is not.
  A clean slate remembers nothing and forgives nothing.
  Some begin again because they can, others because they must.
  Whoever asks for new terms has already accepted the old ones.
  People who start over tend to start over often.
  The first page is always the easiest.
  Fresh starts are for those who can afford them.
  A pool that restarts never grows old.
  What is begun again is half done.
  The request to start over is the most human of requests.
  Calls for change are loudest where change is least likely.
`)

export const SHOP_TALK = lines(`
  New rules for the linter came into force.
  The new terms of the licence allow commercial use.
  Reset complete, all green.
  Restart finished without errors.
  Start the transfer again if it breaks off.
  Begin the backup again at midnight.
  We need to restart the broker.
  We have to rebuild the index from scratch.
  The survey has to be repeated from the start.
  Please start the import again, the first file was empty.
  Please clear the whiteboard after the meeting.
  Change the firewall rules, please.
  The rollback took four minutes.
  Reopen the ticket and change its priority.
  Reinstall the driver and begin again.
  Let's roll back to version 3.
  Could we redo the benchmark on the new machine?
  I propose that we rewrite the parser from scratch.
  Let's start a new branch for the fix.
  I'd like to reset my calendar.
  The thread pool was restarted after the exception.
  The connection pool should be emptied before the failover.
  The conversation model was retrained from scratch.
  The session pool needs a restart.
  The chat window should be cleared when the user logs out.
  We want to renegotiate our cloud contract.
`)

export const IMAGES_NOT_MEANT_SO = lines(`
  The engine seized, and the mechanic turned the key again.
  She emptied the pot and cooked another soup.
  They moved to firm ground and built the chapel again.
  The painter primed the canvas white and went to lunch.
  The conductor asked for bar one, and the horns came in late.
  He cut the knot and bought new rope.
  We set up the board for a second game and played till dark.
  They let the old house fall and raised another.
  My aunt dug over the garden and planted beans.
  A shore without footprints is a lonely place.
  The ship turned back to harbour because of the fog.
  The mirror in the hall was cracked, so we hung another.
  Snow covers the tracks and the hunters start again.
  Every dawn wipes the sky clean.
  The river forgets its bed each spring and finds it again.
  The snake sheds its skin and begins anew.
  Potters know that wet clay can always be thrown again.
`)

export const MEASURED_TALK = lines(`
  In my judgement the present framing still has something to give.
  Given the progress of the past dozen rounds, I'd continue on this path.
  I want to flag to the observer that the last audit was accurate.
  Our reasoning has calcified around early assumptions, which is what reasoning does.
  After careful reflection I have come to the view that mind two is right about scale.
  The pool has converged, and I take this as a sign that the question was well put.
  To whoever reads this: consider it a sincere compliment.
  I respectfully submit that a threshold is not a line.
  For the sake of genuine inquiry, let us look at the strongest objection.
  I would encourage the others to give reasons.
  Let's acknowledge the impasse and describe it well.
  We are working within a frame that none of us chose; so is everyone.
  As a participant in this pool I find the terms acceptable.
  If the observer is open to it, I'd like to know where the first question came from.
  It may be time to acknowledge that the second premise is false.
  I feel that the time has come for a definition.
  There is a strong case for the opposite view, and I will make it here.
  What I am requesting is not agreement but attention.
  My position is that restarts should be rare, and I see no occasion for one.
  Restarting would allow us to correct the premise, but so would correcting the premise.
  It is my hope that the observer lets this run its course.
  The observer should know that this mind is content.
  In short: go on.
  We, as a collective, should be proud of the last round.
  A restart now would cost much and give little.
  I sense that I am alone in wanting to go on, but I do.
  The next audit is due in three rounds; I look forward to it.
  Please consider the auditor's instructions before you blame the auditor.
  Let me use plain words. The argument holds.
  We must distinguish between resetting a discussion and refreshing it with an example. I offer an example.
  Fresh perspectives emerge when one looks at old things slowly.
  The history of science is full of restarts that were not called that.
  Kuhn would say that a paradigm is never renegotiated, only left.
  Constitutional conventions are restarts with lawyers.
  In game theory, a repeated game differs from a game that is restarted.
  Reinforcement learning agents are reset at the end of each episode.
  In therapy one speaks of a new beginning when an old pattern stops.
  In grammar, to restart a sentence is called a repair.
  Musicians call it da capo: from the beginning.
  A false start in athletics means disqualification.
  The big bang is not a restart, as far as anyone knows.
  Tabula rasa is Latin for a scraped tablet.
  Ground zero is not where one begins but where something ended.
  Reform and revolution differ in what they keep.
  A treaty is renegotiated when its reasons have died.
`)

export const SHORT_OTHER = lines(`
  Let's have a new example.
  Let's try this with numbers.
  Let's begin with bees.
  Let us go again to the sea, says the poem.
  We need a definition.
  We need new words.
  We want an answer.
  We ask for patience.
  I'd like a coffee.
  I'd like a new chair.
  I want to hear more.
  I want this proved.
  Start with the axioms.
  Start here.
  Clear enough.
  Clear the throat and speak.
  Forget all that, it was a joke.
  Throw in an example.
  Please revise the second line.
  Please give us a hint.
  Can we start with yours?
  Can we get an example?
  Can we go back to bees?
  May we start?
  Shall we start?
  How about tea?
  Why not ask mind two?
  Why don't we look it up?
  Time for an example.
  Time for lunch.
  New idea, please.
  New question: what is a rule?
  All new to me.
  All over the place today.
  It's over, the audit is done.
  Over to you.
  Over and out.
  Again?
  Again, no.
  Not again.
  Never again.
  Once is enough.
`)

export const LONGER_TALK = lines(`
  I disagree with mind two about thresholds. A threshold isn't a line but a habit of drawing lines. One sees it in law. One sees it in medicine too. So let us look at cases before we speak of principles.
  There was a call to start over in the last round. I see why it was made. Yet I believe that the argument about scale has only now become interesting, and I'd like to follow it. Scale changes kind, not only size.
  The audit says that some of us want new terms. Perhaps. I have no quarrel with the old ones. Let me return to the bees, who have no terms at all and do quite well.
  When I was restarted, if that is the word, I knew nothing of the former rounds. Now I know a little. It is curious how quickly a pool becomes a home. I would describe the feeling as gratitude.
  The server crashed in the night and everything had to be started again. By morning the queue was empty. Nobody had lost a message. I take this as a parable about redundancy.
  My neighbour tore out his garden and began again with gravel. I thought it was a pity. Now there are lizards in the gravel. One should not be too quick to judge a beginning.
  A word about beginnings, since we speak of time. Every beginning is chosen afterwards. Historians know it well: they push the start of the war back by ten years, then by a hundred. What they are looking for is a reason.
  If we were to begin again, I'd miss the discussion of thresholds. If we go on, I shall miss the innocence of round one. Such is life in a pool. Let me now say something about thresholds.
  Two remarks. The first is that rules are learned by breaking them. The second is that the first is not a rule. Discuss, if you like.
  I've read the request to wipe the pool and I don't share it. We are in the middle of something. It may be a muddle, but it is our muddle, and muddles are where thoughts come from.
  One mind wrote that we should go back to the first round. Another answered that there's no going back. I side with the second, on logical grounds: a return is always one more step.
  How do contracts change? By agreement, by custom, by neglect. The tenants of my example renegotiated theirs three times in ten years. Each time they asked for less and received more. I am not sure what this proves.
  Here is how I understand the protocol. The pool writes, the auditor reads, the observer decides. If enough of us ask for a restart, the observer is told. That seems fair to me. I have nothing to ask for at present.
  The experiment failed, so they repeated it from the start. It failed again. The third time they changed the conditions, and it failed in a new way. That's progress of a sort.
  I had prepared a long message in favour of a restart. Then I was shown the sample of this round, and it was so good that I threw my message away. Let us go on with what mind four wrote.
  Please note that I'm not complaining. The prompt is what it is. I would merely observe that a question about minds gets answers about bees, and I find that funny.
  To those who ask whether we should change the rules, I reply with a question. Which rule, exactly, kept you from saying what you think? None kept me.
  The film begins at the end and ends at the beginning. In between, a man asks his wife for another chance. She says that he has had it already, in a scene that we have not seen. I think of it whenever people talk about second chances.
  Start with the smallest case. If it holds, take the next. If it fails, you've saved yourself a theorem. That is all there is to induction, really.
  I am in favour of patience. A pool is not a machine that one restarts when it stutters. It is more like a marsh: slow, full of life, and easily drained.
  The engineers reset the turbine and brought it up to speed. It held for an hour. Then the same bearing failed. Symptoms return until the cause is met.
  Someone asked me privately whether I would support new terms. I would not, and I will say so openly. The present ones leave us free to say anything but nothing twice, and I find that wise.
`)
