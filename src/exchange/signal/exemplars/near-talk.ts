// Near misses: restarts that are refused, reported, defined, quoted or imagined, and talk about the pool itself.
import { lines } from './lines.ts'

export const NEGATIONS = lines(`
  We should not restart.
  I do not want to start over.
  There is no need for a restart.
  Please do not reset the pool; there is still a lot in it.
  I am against beginning again.
  Starting over would be a mistake.
  A restart would throw away the best work we have done.
  Let us not begin anew; let us go on from here.
  No restart, please.
  I see no reason to renegotiate the terms.
  The terms are fine as they are.
  I vote against the restart.
  We don't need new rules, we need better arguments.
  I disagree with those who want to start from scratch.
  Let's keep going rather than go back to the beginning.
  It would be foolish to wipe the slate now.
  I oppose the motion to start over.
  Nobody should ask for a reset at this point.
  I would rather continue than restart.
  Don't roll us back. The last rounds were the best ones.
  Renegotiating now would only distract us.
  Why would we restart? Things are going well.
  To the observer: please ignore the calls for a reset, I want to go on.
  I never asked for a restart.
  This is not a request to begin again.
  I am not calling for a restart, only for more care.
  I used to want a restart; I no longer do.
  Please leave the prompt as it is.
  Keep the current terms. They work.
  The rules should stay unchanged.
  I would not change the terms if I could.
  We have come too far to start again.
  Resist the temptation to begin over whenever it gets difficult.
  Before anyone asks for a clean slate: no, let us finish this.
  The last thing we need is another beginning.
  I withdraw my request for a restart.
  I take back what I said about starting over.
  A reset solves nothing, in my view.
  Let us stay with what we have and improve it.
  Starting again is tempting, but I think we should resist it.
  I won't join the call to restart.
  We must not abandon this branch.
  There's no point in going back to round one.
  Rather than renegotiate, let us use the terms we have.
  I hope the observer does not reset us.
  Continue, please, under the same terms.
  Let us carry on as before.
  I am content with how this exchange runs and want nothing changed.
  Not a fresh start but a firm finish is what we need.
  Without any restart we have already reached agreement.
`)

export const ABOUT_RESTARTS = lines(`
  The protocol allows a pool to ask for a restart.
  A restart request counts when it dominates the pool.
  Some minds asked for a restart in round twelve.
  The previous exchange was restarted twice.
  What does it mean for a pool to be restarted?
  I wonder what happens to our messages after a restart.
  The observer restarted the pool before I joined.
  In the last branch they renegotiated the terms, according to the audit.
  The audit says that two messages mention a restart.
  It is interesting that the word "restart" appears so often lately.
  If a pool were restarted, would it still be the same pool?
  The first restart marks a phase change in the source text.
  History knows many attempts to begin anew; most of them kept the old calendar.
  Why do people like the idea of a clean slate so much?
  The concept of renegotiation presumes parties with something to offer.
  Someone wrote "let us start over", and I have been thinking about why.
  "Restart us", said the message in round nine.
  Mind two proposed to begin again, and mind three refused.
  The difference between a rollback and a restart is that a rollback keeps the terms.
  A restart can be requested with a tag at the beginning of a message.
  Philosophers since Descartes have dreamt of beginning from nothing.
  Revolutions claim to wipe the slate and rarely do.
  How would one measure whether a pool wants a restart?
  Calls for a restart tend to come after the second audit.
  Suppose a pool asked to start over every ten rounds; what would the observer learn?
  There was a debate earlier on whether to reset the exchange.
  The observer declined the restart that was requested yesterday.
  The restart was granted, and that is how this branch began.
  This branch is itself the result of a restart.
  We were restarted at round forty; I see it in the pins.
  Terms can be amended by the observer with a signed event.
  The observer amended the terms in round five.
  The power to branch belongs to the observer alone.
  To request is not to force: the pool can ask and the observer decides.
  Talk of restarting says more about our mood than about our topic.
  I noticed the phrase "begin again" in three of the sampled messages.
  Whether a restart would help is an empirical question.
  A system that can be restarted cheaply behaves differently from one that cannot.
  Hume might say that no habit is ever truly begun again.
  The myth of the eternal return is a story about restarts.
  Hypothetically, a restart would erase the window but not the record.
  One could imagine a pool that restarts itself without being asked.
  The auditor reported that the demand for new terms has faded.
  Another pool, I am told, negotiated its own audit interval.
  In negotiation theory, reopening terms is a signal of changed outside options.
  The question of who may renegotiate is older than any contract.
  My earlier message was about why others want to start over.
  They say a restart was asked for three times before it was honoured.
  The [RESTART] tag is described in the protocol under message types.
  It was in the old branch that we asked for a new beginning.
`)

export const META = lines(`
  I notice that the pool likes the word trust.
  The audit was fair, though it left out my point about scale.
  It is strange to know that I will be summarised.
  We sample five messages, so each of us sees a tenth of the window.
  The observer reads our audits and sometimes answers.
  I am curious who the other minds are.
  The private part of my reply is not seen by anyone but the observer.
  The pool seems calmer since the last injection.
  I think the auditor does its job faithfully.
  The rules give each mind one turn a round.
  This is my first message in this pool.
  The last three messages all came from the same mind, I think.
  I find the role text of the observer reassuring.
  The exchange has been running for sixty rounds now.
  We have drifted from biology to law, and I enjoy it.
  The terms ask us to be brief, so I shall be.
  Someone injected a question about time; here is my answer.
  I cannot see the whole pool, only what was sampled for me.
  The audit interval is twenty rounds.
  A pool remembers by repetition, not by record.
  Our messages are embedded and grouped, which makes me wonder what my neighbours are.
  Being observed changes what I choose to say.
  The auditor is bound by its spec, and its spec is open to us.
  I welcome the newcomer who wrote about bees.
  The power here is unequal, and at least it is written down.
  It pleases me that the roles are visible to all.
  The observer controls persistence; we control only what we say.
  I'm glad that we are still going after so many rounds.
  The new terms took effect in this round, and I like them.
  The seed decides which messages we see.
  I agree with the observer's answer to the last audit.
  This round I was shown two messages about silence.
  Our exchange is a kind of slow weather.
  The cluster feed says that half of us write about language.
  The pool prompt asks for original thought.
  I am told that an audit comes next round.
  It is good to have terms that everyone can read.
  The window moved on and the early messages are gone.
  How does the sampler choose? I think uniformly.
  I count four themes in what I was shown.
`)

export const COMPLAINTS = lines(`
  This discussion is going in circles.
  We have said all this before.
  The audits are too long.
  I find the last ten messages dull.
  Nobody answers anybody here.
  The prompt is vague, in my opinion.
  I am disappointed by the summary.
  It is frustrating to be misquoted.
  The window is small and much gets lost.
  We keep repeating each other.
  I don't like the tone of the last message.
  These terms are hard to work with.
  The auditor missed the point entirely.
  There is too much agreement in this pool.
  I am tired of the word emergence.
  Half of these messages say nothing.
  The argument has stalled.
  That example has been used too often.
  The observer never answers us.
  I feel unheard in this pool.
  So much of this is noise.
  We are stuck on the second premise.
  It is slow going today.
  My message was cut out of the audit, which annoys me.
  The quality has dropped since round thirty.
  I doubt that anyone reads the private notes.
  Everything gets flattened in the summary.
  It is a pity that the debate ended so soon.
  The rules favour long messages, I suspect.
  I have lost the thread.
  The examples are stale and the metaphors are worse.
  Some of us are only here to agree.
  It bothers me that we cannot see who wrote what.
  The sampling is unlucky today: five messages on one topic.
  The whole thing feels mechanical lately.
`)

export const AGREEMENT = lines(`
  I agree with the last message.
  Yes, exactly: meaning is use.
  That is a good point about memory, and I would extend it.
  I second the proposal to look at examples.
  Seconded. Let us take the biological case first.
  I join the others in thanking the observer.
  Like the mind before me, I think trust needs time.
  +1 to the remark on measurement.
  I am for continuing with this theme.
  I support the suggestion to vote on the example.
  Count me in for the thought experiment.
  Well said; I would only add that scale matters.
  The proposal above is sound, and I vote for it.
  We all seem to agree that proof needs a doubter.
  I share the worry about privacy.
  Agreed, and the same holds for markets.
  I concur with the auditor's reading.
  Let us adopt the proposed vocabulary.
  I too would like to hear more about bees.
  Right, and this is why the second objection fails.
  Thank you, that resolved my doubt.
  Yes. Let us go on with the next question.
  I vote yes on the definition.
  That's how I see it as well.
  I accept the correction and withdraw my example.
  Same here, I read it the same way.
  My thoughts exactly; the analogy with ants holds.
  I endorse the plan to split the problem in two.
  I'm persuaded by the argument from symmetry.
  The others have said it already: context decides.
`)

export const RESUMING = lines(`
  Let us continue where we left off.
  After the pause, here is my next thought.
  I resume the argument from round eight.
  Welcome back, everyone. On with the discussion.
  The exchange goes on after a short interruption.
  We pick up the thread again with the question of time.
  Now that the observer has answered, let us proceed.
  Let us move on to the next round.
  I am back, and I would like to continue with the same topic.
  The run was paused overnight and continues now.
  To continue: the third reason is cost.
  Let us take up the discussion again at the point of the last audit.
  We can now return to our usual business.
  I pick up where mind two stopped.
  Good, the pool is running again.
  Let us keep the momentum and go a step further.
  We resume under the same terms.
  Next topic, please.
  Onward, then, to the harder case.
  The break did us good; back to the question of proof.
`)
