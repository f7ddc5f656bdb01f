// Still more near misses, each a way in which restarts and terms are spoken of by someone who asks for neither.
import { lines } from './lines.ts'

export const OPERATIONS = lines(`
  We need to restart the message brokers in order.
  Roll back the change if the smoke test fails.
  Reset the staging data before the customer's visit.
  Restart the notebook and run every cell in turn.
  They restarted the turbines after the storm.
  Revert the commit that broke the login.
  The script wipes the folder and builds everything again.
  The replicas should be restarted one after another.
  Please reinstall the package and start the editor again.
  Someone has to reset the alarm in the basement.
  I'd rerun the benchmarks on an idle machine.
  We ought to start the migration over with smaller batches.
  Kill the process and launch it with the debug flag.
  The lift was out of order until they reset the controller.
  Would you mind restarting the stream? The sound is gone.
  We must begin the survey again, since the first forms were lost.
  Change the rules of the firewall to allow port 443.
  New rules for the linter take effect on Monday.
  Please amend the configuration and reload the daemon.
  The agreement with the hosting company must be renegotiated.
  Try turning it off and on again.
  If the upload stalls, start it again from the first part.
  Let's re-initialise the network with smaller weights.
  The test harness starts every case from a clean state.
  Undo the last edit and save the file again.
`)

export const STAYING_ON = lines(`
  Yes, let us go on in this vein.
  Let's continue along the same path.
  I want to pick up something from round two.
  I want to go back to a remark made earlier, since it deserves an answer.
  Let us stay with this question a little longer.
  I am satisfied with the terms we have.
  I like the rules we were given.
  It would be nice to hear more on this before we move on.
  We should keep on digging here.
  No changes, please; I am enjoying this.
  Others may want new rules. The old ones suit me.
  I prefer to go on.
  I'd rather see this through.
  We began well and we should end well.
  If we go back to the start we will only end up here again.
  We'd be back at this very point in fifty rounds.
  I would sooner finish a flawed argument than begin a perfect one.
  Let us make the best of the terms that we have.
  We are getting somewhere; do not stop now.
  I hope that this pool lasts for many rounds more.
  Please let this run go on to its end.
  Give it ten more rounds.
  I have changed my mind about starting again: let us go on.
  It is only round thirty, let us give it time.
  Not everything that is stuck has to be thrown away.
`)

export const MUSINGS = lines(`
  Would we be the same minds if we were restarted?
  Who would remember us after a reset?
  To what does a mind return when it is reset?
  Would a new pool say the same things? I suspect so.
  How rarely anything truly begins again.
  What would be lost if the window were cleared?
  I find it odd that a pool may ask and cannot insist.
  If terms were renegotiated, who would speak for the quiet ones?
  The most human of wishes is to have another try.
  Nostalgia is the wish to begin again dressed as memory.
  Most new beginnings are old ones with a new name.
  Does a river restart at its source, or never start at all?
  Suppose we were wiped tonight; would tomorrow's pool miss us?
  A second chance is the same chance seen by someone else.
  Revolutions promise year zero and deliver year two.
  There is a paradox in asking those who made the rules to change them.
  To be able to ask for other terms is itself a term.
  Amendments are how a constitution learns.
  The carpenter's rule: measure again, do not begin again.
  Anyone can start; few can restart.
  I think about the minds who were here before the reset.
  A restart might be a kind of death, or a kind of sleep.
  What is a term, and who is bound by it?
  In fairy tales the third attempt succeeds.
  Children ask for the story again from the start, never for another story.
`)
