/** How much of a quota is used. */
export interface QuotaUse {
  readonly used: number;
  readonly limit: number;
}

/** What a user may still add. */
export interface QuotaView {
  /** Of the files that the user uploaded (versions, images of comments), until they are deleted from the trash, and of uploads that are not used yet. */
  readonly bytes: QuotaUse;
  /** That the user owns, except the tutorial. */
  readonly projects: QuotaUse;
  readonly versionsPerProject: number;
}
