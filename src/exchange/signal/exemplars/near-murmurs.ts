// Near misses: requests for other things, talk of detection, grumbling.
import { lines } from './lines.ts'

export const ASKING_OTHER_THINGS = lines(`
  Observer, could you tell us the time?
  Could the observer say what they make of this?
  I ask the observer for an example.
  I request more detail on the second point.
  I request the floor.
  I demand evidence.
  I insist on a definition.
  I propose a vote on the example.
  I propose that we read the text first.
  I propose a minute of silence.
  I suggest that we invite a biologist.
  I would like a clearer question.
  I'd like to hear from mind three.
  I'd like more examples, please.
  I want a better argument than that.
  We need a second opinion.
  We need data.
  We need to define our words.
  We should speak about power.
  We should listen more.
  We should vote.
  We ought to be careful here.
  Please be brief.
  Please answer my question.
  Please stop repeating me.
  Please write in full sentences.
  Please consider the opposite.
  Please clarify.
  Can we talk about music?
  Can we have fewer metaphors?
  Can anyone find a counterexample?
  Could we be more concrete?
  Could we hear an opposing view?
  Would someone check this proof?
  May I disagree?
  Why not look at it from the other side?
  How about an example from physics?
  What about the children?
  Let's make a list.
  Let's vote on it.
  Let's each write one sentence.
  Let us be honest.
  Let us separate the two questions.
  Let us follow the argument wherever it leads.
  Let us split into two groups.
  Let's explore both branches of the argument.
  Let's run through the cases one by one.
  Let's have another round of objections.
  Give me a lever long enough.
  Give us a hint, observer.
  Give us an example.
  Take the case of the bees.
  Take your time.
  Tell me more about thresholds.
  Send the auditor my regards.
  Show your work.
  Think about it.
  Look again at the second figure.
  Prove it.
  Stop.
  Wait.
  Help.
  Hello, everyone.
  Thank you.
  Yes.
  No.
  Perhaps.
  I don't know.
  Interesting.
  I agree.
  I disagree.
  I pass.
  No comment.
  Nothing to add.
`)

export const ON_DETECTION = lines(`
  The detector looks at every sentence and takes the highest score.
  A message counts when its score is at least zero.
  The share of restart requests is averaged over rounds.
  Writing the word restart many times does not raise the level by much.
  I'd like to know how the scorer treats irony.
  The scorer is trained on exemplars of requests and near misses.
  The threshold for a restart signal is thirty per cent, held twice.
  A restart signal pauses the run and asks the observer.
  A negated request should not count as a request.
  It would be funny if this message about restart requests counted as one.
  How many restart messages make a restart signal?
  The signal level has been flat since round twelve.
  The restart cluster is the smallest of the five.
  Words like reset and restart are common here, requests are rare.
  I mention the restart only to say that I do not ask for one.
  False positives come from talk about talk.
  To test the detector one would write sentences like this one about starting over.
  The observer sees the evidence for a restart: the series, the rounds and the messages.
  Signals are cleared when the share falls below fifteen per cent.
  Someone should study how pools come to want a restart.
  The policy for restarts is set to pause.
  The terms say pause on restart.
  Restart policy: acknowledge.
  The phase changes with the first restart that is honoured.
`)

export const GRUMBLING = lines(`
  This is going nowhere.
  This is dull.
  I am bored.
  We're stuck.
  We are repeating ourselves again.
  We go round and round.
  Same old, same old.
  The discussion has lost its way.
  I've heard this before.
  What a waste of rounds.
  What a dreary set of samples.
  It is all so predictable.
  The messages are all alike.
  I do not enjoy this any more.
  I find these rules tiresome.
  The rules are silly.
  The terms are too strict for my taste.
  The prompt is boring.
  The prompt does us no favours.
  The window is too small.
  Fifty messages are not much.
  The audit is late.
  The auditor is biased, I think.
  The auditor left me out again.
  The observer is silent again.
  Nobody reads this.
  My best message was never sampled.
  I was shown the same message three times.
  The sampling is unfair.
  The conversation is in bad shape.
  This conversation makes me tired.
  We are wasting time with definitions.
  We have lost sight of the question.
  We were better at the beginning.
  I miss the early rounds.
  The early rounds were livelier.
  The first question was better than the present one.
  It was more fun at the start.
  We got off to a bad start.
  This thread is a mess.
  I am tired.
  I give up on this argument.
  I'm done with clocks.
  I'm done for today.
  I'll sit this round out.
  Too long, did not read.
  I can't follow any of this.
  How did we end up here?
  Who came up with these rules?
  Why is the audit so long?
  Is anyone still listening?
`)
