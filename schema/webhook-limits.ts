/** The bounds of webhooks; part of `limits`. */
export const webhookBounds = {
  /** Deliveries that are under way at once: of all targets, of those that are not known to answer
   * quickly, and of those among them whose last attempt failed. */
  webhooksAtOnce: 64,
  unknownWebhooksAtOnce: 48,
  failingWebhooksAtOnce: 16,
  webhooksPerAgentAtOnce: 4,
  /** Of one host and port. */
  webhooksPerHostAtOnce: 8,
  /** Of one agent, that wait; beyond it the oldest is given up. */
  deliveriesWaitingMax: 10_000,
  /** Of one agent, finished ones too, and for how long. */
  deliveriesKeptMax: 10_000,
  deliveryKeptMs: 30 * 24 * 3_600_000,
  deliveryAttemptsKept: 20,
  /** Of the body: of `data`, and of the texts in it where it would be larger. */
  webhookDataMaxBytes: 64 * 1024,
  /** What a receiver may ask for by `Retry-After`. */
  retryAfterMaxMs: 3_600_000,
  /** The owner is told of a target that failed for so long. */
  webhookFailingToldAfterMs: 3_600_000,
  /** Targets whose deliveries are in memory; the others wait in the store. */
  webhookTargetsMax: 5_000,
  /** Of one target: lanes, and deliveries of one. */
  webhookLanesMax: 16,
  webhookLaneMax: 32,
  webhookBodiesKept: 256,
  /** Tests and redeliveries of one agent. */
  webhookRepairsPerMinute: 60,
  /** Deliveries that one page looks through for those of a state. */
  deliveriesLookedThroughMax: 1_000,
} as const
