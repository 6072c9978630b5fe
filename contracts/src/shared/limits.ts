/** Every limit, in one place: lengths in UTF-16 units, sizes in bytes, durations in seconds unless the name says otherwise. */
export const LIMITS = {
  personName: 50,
  usernameMin: 3,
  username: 30,
  /** How often a username may be changed in that many days; each stays reserved for its user. */
  renames: 5,
  renameDays: 30,
  passwordMin: 8,
  password: 128,
  email: 254,
  location: 80,
  about: 2_000,
  influences: 500,
  contactMessage: 10_000,
  fullName: 101,
  company: 120,
  phone: 40,
  /** How long a link from an e-mail works. */
  resetMinutes: 60,
  inviteDays: 7,
  /** Sides of pictures, in pixels. */
  smallPhoto: 170,
  largePhoto: 680,
  coverWidth: 1_800,
  coverHeight: 600,
  projectName: 120,
  description: 2_000,
  tinySummary: 45,
  comment: 10_000,
  todo: 10_000,
  /** Reminders listed at once, over all of a person's projects. */
  reminders: 500,
  /** Pending reminders per author and project. */
  pendingReminders: 50,
  /** How much of a text a notification quotes. */
  quote: 80,
  collectionTitle: 80,
  collections: 200,
  note: 60_000,
  /** A change of a note may be based on any of its newest texts, the current one included. */
  noteTexts: 100,
  /** How long the writer of a note pauses before the page saves it on the device, and on the server. */
  noteLocalSaveMs: 934,
  noteSaveMs: 2_000,
  inviteMessage: 500,
  label: 60,
  filename: 255,
  idsInOneCall: 100,
  peopleInOneInvitation: 100,
  searchMin: 2,
  search: 50,
  searchResults: 20,
  publicProjectsForGuest: 100,
  /** On a profile page. */
  profileProjects: 50,
  shownConnections: 1_000,
  taggedRegions: 1,
  imageBytes: 10_000_000,
  imagePixels: 50_000_000,
  /** Of all frames of an animation together. */
  animationPixels: 20_000_000,
  animationFrames: 1_000,
  audioSeconds: 2 * 60 * 60,
  /** Samples of all channels together: two hours of stereo at 384 kHz. */
  audioSamples: 2 * 60 * 60 * 48_000 * 2 * 8,
  shortestRegionSeconds: 0.05,
  /** How far a region may exceed the probed duration, since containers round it. */
  regionSlackSeconds: 0.05,
  uploadMinutes: 60,
  /** Uploads that are announced, in progress or unused: of a user for one purpose in a project, and of a user in all. */
  openUploads: 10,
  openUploadsPerAccount: 20,
  /** Uploads that wait to be read, in all and of one person, and for how long. */
  waitingUploads: 64,
  waitingUploadsPerPerson: 8,
  uploadWaitSeconds: 30,
  /** How long the signed URL that a request for audio is redirected to stays valid. */
  audioAddressMinutes: 5,
  /** Of bodies with long texts, of all others, and of a contact message (each UTF-16 unit may be escaped as six bytes). */
  jsonBytes: 512 * 1024,
  shortJsonBytes: 16 * 1024,
  contactJsonBytes: 72 * 1024,
  jsonDepth: 20,
  jsonMembers: 5_000,
  rememberedCommands: 256,
  catchUpEvents: 500,
  catchUpBytes: 4 * 1024 * 1024,
  projectsPerSocket: 20,
  socketsPerPerson: 20,
  /** Of one `update-metrics`, and how much time there is at least between two for a version. */
  listenedSeconds: 60,
  listenedEverySeconds: 30,
  /** The address that a push service gives a browser, and how many browsers of one user get push messages. */
  pushEndpoint: 2_048,
  pushSubscriptions: 20,
  /** Of one address. */
  unauthenticatedSockets: 20,
} as const;
