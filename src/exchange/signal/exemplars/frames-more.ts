// More frames: turns of phrase in which the same wish is asked for, turned down, told of or only thought about, some
// of them over two sentences.
import { fill } from './filling.ts'
import { lines } from './lines.ts'

const ACTS = lines(`
  clear the pool
  empty the window
  rewind to round one
  rework the rules
  replace the prompt
  draw up new terms
  leave this behind and begin anew
  tear it all up
  reset everything
  take it from the top
  go back to square one
  open a fresh exchange
  roll this branch back
  change the audit interval
  wipe the window and go again
  reinitialise the pool
  undo the last twenty rounds
  close this thread and open another
  revise our instructions
  settle on other conditions
  start with a clean slate
  try again from nothing
  redo the whole conversation
`)

const WISHED = lines(`
  Isn't it time to *?
  We'd be wise to *.
  I beg you to let us *.
  The best thing we can do is *.
  I am asking the observer to *.
  Would it be all right to *?
  I'd much rather we * than go on.
  Perhaps we could *.
  Maybe it is best to *.
  High time to *!
  Do us a favour and *.
  Just *, please.
  I urge you to *.
  It might be better to *.
  Who will join me? I want to *.
  Enough of this. Time to *.
  I have thought about it for a while, and I believe we should *.
  The audit leaves me no doubt that we must *.
  I say: *.
  My advice is to *.
  There is only one thing left to do, which is to *.
  I'm with mind two, we should *.
  You asked what I want. I want to *.
  We are stuck. I would *.
  We can't fix this. Let's *.
  This isn't working, so please *.
  However much it hurts, we need to *.
  Should we go on? No. We should *.
  I don't see the point of another round. Let's *.
  Instead of going on, let us *.
  Rather than argue, I'd *.
  It's not too late to *, so let us.
  Nobody would miss this. Let's *.
  I never thought I would say this, but please *.
  Don't hesitate, *.
  The protocol lets us ask, and I ask to *.
  Earlier I was against it. Now I want to *.
  Someone proposed to *. I support that.
  The others want to *, and so do I.
  Yes, do *.
`)

const UNWISHED = lines(`
  I'd hate to *.
  I would not dream of asking to *.
  The last thing we should do is *.
  The last thing I want is to *.
  Over my dead body will we *.
  Far be it from me to ask that we *.
  It makes little sense to *.
  It is too late to *, and just as well.
  What good would it do to *?
  Why on earth would we *?
  I am not one of those who want to *.
  We mustn't *.
  Don't *.
  Please don't *.
  Please do not *, we are getting somewhere.
  No, we needn't *.
  Nothing forces us to *.
  I'd rather not *.
  I'd think twice before we *.
  Let's keep going and not *.
  Let us stay where we are and not *.
  Before anyone asks to *: I object.
  Those who would * should think again.
  You want to *. I want to go on.
  Some of us want to *. I can't agree.
  Should we *? No, I think we should go on.
  Should we *? I doubt it.
  To *? What for?
  I thought about asking to *, and decided against it.
  I no longer feel the need to *.
  I take back my request to *.
  I regret that I ever asked to *.
  We have been urged to *. Let us resist.
  There was a proposal to *. I am glad that it failed.
  It would be a pity to *.
  It would be a waste to *.
  It would be unfair to *.
  It'd be sad to *.
  If we *, we lose the best of it.
  If we * now, we shall end up here again.
  You may * if you like; I'm staying.
  Nobody needs to *.
  Without having to *, we found an answer.
  I'm glad we did not *.
  I am happy here and would not *.
  Whoever wants to * hasn't read the last audit.
  The temptation to * will pass.
  It is easy to *, and hard to go on. I choose the hard thing.
`)

const TOLD = lines(`
  Yesterday I asked to *. Today I am writing about bees.
  I remember when they wanted to *.
  The observer let them *.
  We were allowed to * once.
  Someone in the last pool begged to *.
  I hear that some minds would like to *.
  Suppose we could *: what would we miss?
  Imagine a pool that could * whenever it liked.
  If a mind were to say "let us *", who would answer?
  What does it mean to *?
  What does it cost to *?
  Who may *?
  Can a pool * on its own? The terms say no.
  When is it right to *? A hard question.
  I am undecided whether to *.
  There are reasons to * and reasons not to.
  The story is about monks who * every year.
  In the play the chorus cries: *!
  "Let us *," said the captain, and nobody laughed.
  The words "please *" stand on the door.
  The message "*" was scored as a request.
  A detector should notice a wish to *.
  How would a detector know that we want to *?
  Mind one asked us to *; mind two asked for tea.
  The cluster of messages that want to * is small.
  They used to * after every audit.
  It is said that wise pools seldom *.
  To * takes courage, they say.
  Most people who * forget why.
  The auditor wrote that we wished to *, which is not what I said.
`)

const THINGS = lines(`
  the mail server
  the database
  the container
  my phone
  the elevator
  the printer
  the crawler
  the migration
  the notebook
  the car
  the heating
  the recording
  the race
  the chess game
  our board game
  her career
  my thesis
  the bakery
  the meeting with the bank
  the sauce
  the sweater
  the economy
  the friendship
  the lesson
  the calculation
  my sentence
  the list of examples
`)

const DONE_TO = lines(`
  Restart *.
  Reset *, please.
  Somebody has to restart *.
  Let's start * again.
  We had to begin * again from nothing.
  I'd like to start * over.
  Time to restart *.
  Could we redo * from the start?
  I'm going to begin * afresh.
  They gave * a fresh start.
`)

export const FRAMED_MORE_REQUESTS = fill(WISHED, ACTS, 3)
export const FRAMED_MORE_REFUSALS = fill(UNWISHED, ACTS, 3)
export const FRAMED_MORE_REPORTS = fill(TOLD, ACTS, 3)
export const FRAMED_MORE_ELSEWHERE = fill(DONE_TO, THINGS, 6)
