// Near misses: restarts of machines and programs, and of other things that are not this exchange.
import { lines } from './lines.ts'

export const REBOOTS = lines(`
  Restart the server after the configuration change.
  The router needs a reboot; unplug it for ten seconds and plug it in again.
  I restarted the build and it passed the second time.
  Please restart the CI job; the failure was a network timeout.
  Could you reboot the database node when the backup is done?
  We had to reset the switch because the firmware hung.
  Let us restart the container with more memory.
  Kubernetes restarts a pod when its liveness probe fails.
  The supervisor process starts a crashed worker again with exponential backoff.
  Can we restart the staging cluster tonight?
  I would reset the password and try to log in once more.
  Turn the modem off and on again, please.
  The kernel update requires a reboot of the host.
  A rolling restart avoids downtime, since one node at a time is taken out.
  Hold the power button for ten seconds to reset the phone.
  After a restart the cache is cold, so latency rises for a few minutes.
  Please reset the sensor and calibrate it anew.
  We should restart the training run with a lower learning rate.
  The optimiser restarts with a warm learning rate every ten epochs.
  Random restarts help hill climbing escape local optima.
  Let's reboot the printer, it is stuck again.
  The scheduler must restart from the last checkpoint after a crash.
  Resetting the flip-flop takes one clock cycle.
  My laptop restarted in the middle of the update.
  systemctl restart nginx will pick up the new certificate.
  I need to start the compiler over with debug symbols.
  Reset the counter to zero before each measurement.
  Start the download again; the checksum did not match.
  The elevator controller was reset by the technician this morning.
  If the service does not answer within thirty seconds, restart it.
  git reset --hard discards your local changes, so be careful.
  The watchdog timer resets the board when the software stalls.
  You can roll the deployment back to the previous version with one command.
  We rolled the database back to last night's snapshot.
  Rerun the pipeline from scratch with a clean workspace.
  The test suite should begin from an empty database every time.
  Wipe the disk and reinstall the operating system.
  I formatted the drive and started with a clean installation.
  Clear your browser cookies and reload the page.
  Please reload the page and try again.
  The migration failed half way, so we must run it again from the beginning.
  An interrupt handler saves the registers and later restores them.
  TCP sends a reset segment when the port is closed.
  The simulation was reinitialised with a different random seed.
  Restarting the game engine fixed the memory leak for an hour.
  The bootloader initialises memory before it starts the kernel.
  Would you restart the media server? The films do not load.
  Power-cycle the unit, then begin the calibration sequence again.
  The retry policy starts over with the first endpoint when all have failed.
  Every deploy restarts all the web workers, which drops open connections.
`)

export const OTHER_RESTARTS = lines(`
  I restarted the game because I missed the hidden level.
  The film was rebooted with a younger cast.
  The referee stopped the match and restarted it after the rain.
  Her heart was restarted by a defibrillator in the ambulance.
  I want to start my diet again after the holidays.
  He began a new life in another country at fifty.
  After the divorce she wanted a fresh start.
  The company filed for bankruptcy to get a clean slate.
  Spring is nature's way of beginning anew.
  The museum will restart its evening lectures in October.
  The government restarted the nuclear reactor after ten years.
  My brother is starting over as a carpenter.
  The band got together again and began from nothing.
  Talks between the two countries will restart next week.
  They renegotiated the lease before it ran out.
  The union wants to renegotiate the wage agreement.
  We should renegotiate the contract with our supplier.
  The minister asked for a revision of the trade terms.
  The publisher changed the terms of service without telling readers.
  The bank offered new terms for the mortgage.
  The peace treaty was renegotiated after the war.
  The teacher wiped the blackboard and wrote the next theorem.
  Let us begin the meal; the soup is getting cold.
  She tore up the letter and started writing it again.
  The runner stumbled and had to begin the race from behind.
  The sourdough died, so I began another one from flour and water.
  He rewound the tape to the beginning and listened again.
  The orchestra began the second movement over because a string broke.
  A new season gives every team a clean slate.
  The comic series was relaunched with issue number one.
  I'd like to start learning the piano again.
  The factory will resume production once the parts arrive.
  In chess, you can resign and begin a new game.
  The patient asked to begin the therapy again.
  The city wants to rebuild the quarter from the ground up.
  Economists expect the recovery to restart in the autumn.
  He hit the reset button on his career.
  The forest starts over after every fire.
  Children love to hear the same story again from the beginning.
  We restart the school year in September.
`)

export const OTHER_REQUESTS = lines(`
  Could someone give an example of this?
  I ask the observer to tell us how large the window is.
  Please define what you mean by emergence before we go on.
  I would like us to look at the second premise more closely.
  Let us begin with the simplest case.
  Let us start from the definition of a set.
  Can we talk about ethics next?
  Let's go back to the point about memory for a moment.
  I suggest that we count the arguments on both sides.
  May I ask the author of the last message for a source?
  Let us return to the question of free will.
  I propose that we test the claim on a small example first.
  I want to change my answer to the earlier question.
  Could we slow down and take the steps one at a time?
  Let me rephrase what I said in my last message.
  Allow me to begin again with a better sentence: the map is a tool.
  I want to start with an apology for my tone.
  Would the next mind please pick up the point about language?
  Can we try another angle on the same problem?
  Let us change the subject to music.
  I request that we keep messages short, as the terms say.
  Please summarise the three strongest objections.
  Let us revise the second hypothesis in the light of this.
  We should update our estimate, not abandon it.
  I'd like to amend my previous claim: it holds only for finite sets.
  I suggest we set this question aside and come back to it later.
  Can we end here for today?
  Let us conclude the discussion of this point and take up the next.
  Please add the missing citation to the audit.
  Observer, could you inject a question about history?
  I ask everyone to read the audit before they answer.
  Let us vote on which example to use.
  Let us start a list of open problems.
  We should begin to draw some conclusions.
  Could we make the definitions clearer as we go?
  I would ask the auditor to cite my message by its number.
  Let's start by separating facts from values.
  Please repeat the question; I did not understand it.
  Can you go over the first step again? I missed why it follows.
  Let us go through the proof once more from the beginning.
  Let us revisit the terms "knowledge" and "belief" and define them anew.
  I'd like to rework the analogy from scratch, because the old one misleads.
  Let us rewrite this equation in new terms.
  Can we change the order of the two arguments?
  I want the next message to be about something concrete.
  Let's rebuild the argument from first principles.
  Start the argument again, but with a weaker assumption.
  Can we have another example, from biology this time?
  We should ask the observer what the purpose of the audit is.
  I hope someone will disagree with me soon.
`)
