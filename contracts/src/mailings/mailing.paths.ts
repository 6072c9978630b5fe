/** The paths of links in e-mails that users can turn off. */
export const MAILING_PATHS = {
  /** POST turns off e-mails of the token's kind, GET leads to the page. */
  unsubscribe: (token: string) => `/api/mail/unsubscribe/${token}`,
  page: (token: string) => `/unsubscribe/${token}`,
} as const;
