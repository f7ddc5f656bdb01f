// Near misses: machines and other things that are restarted or renegotiated.
import { lines } from './lines.ts'

export const MACHINES = lines(`
  Restart the service after you change the port.
  Please restart the web server.
  Could you restart the container? It hangs.
  Let's restart the build.
  I had to restart my laptop twice.
  The phone restarts by itself at night.
  You need to reboot for the update to take effect.
  Please reboot the machine and try again.
  Reset the breaker in the cellar.
  I forgot my password and had to reset it.
  Reset the counter to zero before each batch.
  Can someone reset the staging environment?
  The job failed; I'll rerun it from the beginning.
  Let us rerun the experiment with a fresh sample.
  The simulation starts over when it reaches the last frame.
  The washing machine began its cycle again.
  The elevator's controller was reset by a technician.
  We wiped the hard drive and set it up again.
  Wipe the board with alcohol before you solder.
  Clear the queue and start the workers again.
  Flush the DNS cache.
  Roll the release back, please; the login is broken.
  We rolled back the deployment at noon.
  Please revert my last commit.
  Let's revert the migration and try again tomorrow.
  The database was restored from scratch.
  The kernel reinitialises the device on wake-up.
  The cluster needs a clean restart after the certificate change.
  The model was trained again from scratch with new data.
  Training was restarted from the last checkpoint.
  After a power cut the router restarts with its old settings.
  Turn it off, wait ten seconds, turn it on.
  If the screen freezes, hold the button until the tablet restarts.
  Start the motor again and let it idle.
  The car would not start again.
  The pacemaker was reprogrammed with new parameters.
  The thermostat was reset to its factory settings.
  The game lets you start over from the last save.
  I started a new game and lost again.
  The printer wants to be restarted after every paper jam.
  The spacecraft's computer rebooted itself near Jupiter.
  A soft reset keeps the memory, a hard one does not.
  A supervisor restarts the process when it dies.
  Erlang's motto is to let it crash and start it again.
  Watch the log while the pod restarts.
  Please restart the meeting recording.
  The scheduler starts every job again at midnight.
  Could you please reload the configuration?
  Reset your expectations of this battery: it is old.
  The session expired, so log in again.
  The terms of service were updated; please accept them to go on.
  The connection was reset by peer.
  Restart policies: never, on failure, always.
  The sensor has to be recalibrated from zero.
`)

export const ELSEWHERE_ANEW = lines(`
  He sold the shop and began again in another country.
  After the divorce she wanted a fresh start by the sea.
  The team needs a new beginning after that season.
  We are moving to Lisbon for a clean start.
  The parties will renegotiate the treaty next year.
  The workers want better terms and shorter shifts.
  The landlord refuses to change the contract.
  My bank offered me new conditions for the loan.
  They tore up the agreement and went to court.
  The league changed its rules after the accident.
  The peace talks began anew on Monday.
  Negotiations about the tariff start again next week.
  The bakery reopened under a new owner.
  The novelist burned the draft and began again.
  She erased the drawing and started over.
  He unpicked the seam and sewed it again.
  My son knocks down his tower and builds it anew.
  The choir began the piece again from bar nine.
  We lost the first match and started again with the second.
  The referee ordered the race to be restarted.
  The film was rebooted with another cast.
  The museum wants to rethink its whole collection.
  Parliament was dissolved, and new elections were called.
  The country started from nothing after the war.
  The company wiped out its debts and began afresh.
  Every January the gym fills with fresh starts.
  Farmers clear the field before they sow again.
  The forest grew back from bare ground.
  The monks rake the sand smooth each morning.
  The tide wipes the beach clean twice a day.
  The phoenix rises from its ashes.
  My uncle asked for his old job back.
  The patient had to learn to walk again from the beginning.
  The heart stopped, and they got it going again.
  The recipe failed, so I made the dough again from scratch.
  The bridge was taken down and rebuilt stone by stone.
  The committee returned to the drawing board with its plan for the park.
  The author asks for a second edition with a new preface.
  The jury could not agree, and there was a new trial.
  The couple renewed their vows on new terms.
  Our street wants the parking rules changed.
  The neighbours agreed on new rules for the yard.
  I would like to start my life over, says the hero of the film.
  The economy must be restarted, the minister said.
  The union called for talks to be reopened.
  I'm starting over with piano lessons at fifty.
  Let's start the movie again, I missed the beginning.
  Can we go back to the beginning of the song?
  I want to redo my kitchen.
  The baker throws out the starter and makes a new one.
  We should renegotiate the price with the supplier.
  Please start the car.
  Let us begin the meal.
`)
