/** The bounds of what is uploaded to documents; part of `limits`. */
export const uploadBounds = {
  imageMaxBytes: 5_000_000,
  /** Of one document: all its images, and how many. */
  imagesMaxBytes: 100_000_000,
  imagesMax: 10_000,
  /** Parts of which an image is put together when others are taken off. */
  imagePartsMax: 1_000,
  /** As sent and as normalized; of one document, all together and how many. */
  artifactMaxBytes: 512 * 1024,
  artifactsMaxBytes: 8 * 1024 * 1024,
  artifactsMax: 1_000,
  artifactNormalizedWithinMs: 3_000,
  artifactThreadMegabytes: 128,
  /** Uploads whose artifact waits to be normalized. */
  artifactsWaitingMax: 64,
  posterMaxBytes: 1_000_000,
  posterMaxPixels: 4_000,
  postersMaxBytes: 50_000_000,
  feedbackMessageMaxBytes: 16 * 1024,
  feedbackImagesPerReport: 5,
  /** Of one credential, whatever document they are for. */
  feedbackImagesADay: 25,
  /** Of one document: images for reports, and reports. */
  feedbackImagesMaxBytes: 100_000_000,
  feedbackMax: 1_000,
  feedbackSweepEveryMs: 3_600_000,
  feedbackSweptAtOnce: 1_000,
  /** Of what one address uploads, unless configured; and how long it counts. */
  uploadedMegabytesMax: 5_000,
  writtenMegabytesMax: 2_000,
  megabytesWindowMs: 24 * 3_600_000,
  /** Uploads that are written to the disk in the same moment. */
  uploadWritesAtOnce: 4,
  /** Uploads that are being received, over all and of one address; each holds a file open. */
  uploadsAtOnce: 32,
  uploadsOfAddress: 16,
  /** Of those, while others wait: who is slower, after so long, gives way. */
  uploadSlowBytesPerSecond: 64 * 1024,
  uploadSlowAfterMs: 10_000,
  uploadSlowLookedAtEveryMs: 1_000,
  /** How often a commit beside the text may be overtaken: by more than come at once. */
  assetCommitsMax: 256,
  /** Who keep or release the same blob, one after another. */
  blobLineMax: 10_000,
} as const
