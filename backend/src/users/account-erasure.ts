import { Inject, Injectable } from '@nestjs/common';
import type { Id, Instant, Uid } from '@roughmix/contracts/shared/ids.js';
import { InquiryErasure } from '../inquiries/inquiry-erasure.streams.js';
import { EmailQueue } from '../platform/mail/email-queue.js';
import { PushQueue } from '../platform/push/push-queue.js';
import { Uploads } from '../platform/uploads/uploads.js';
import type { BlobStore } from '../platform/blobs/blobs.js';
import { BLOBS } from '../platform/tokens.js';
import { AccountAccess } from './account-access.js';
import { Accounts } from './accounts.js';
import { Usernames } from './usernames.js';

/**
 * A user's data outside their stream: account, sessions with their push subscriptions, links, uploads, pictures, e-mails and push messages, and what they
 * sent before they had an account.
 */
@Injectable()
export class AccountErasure {
  @Inject()
  private readonly pushQueue: PushQueue;

  constructor(
    private readonly accounts: Accounts,
    private readonly access: AccountAccess,
    private readonly uploads: Uploads,
    private readonly emailQueue: EmailQueue,
    private readonly inquiries: InquiryErasure,
    private readonly usernames: Usernames,
    @Inject(BLOBS) private readonly blobs: BlobStore,
  ) {}

  /** The uid that an email address belongs to, or null. */
  async holderOf(email: string): Promise<Uid | null> {
    return (await this.accounts.holderOf(email))?.id ?? null;
  }

  /** The address of an account; null without one. */
  async addressOf(uid: Uid): Promise<string | null> {
    return (await this.accounts.get(uid))?.body.email ?? null;
  }

  async has(uid: Uid): Promise<boolean> {
    return (await this.accounts.get(uid)) !== null;
  }

  /** Whether an account is being erased, or is gone. */
  isLocked(uid: Uid): Promise<boolean> {
    return this.accounts.isLocked(uid);
  }

  /** Signs a user out everywhere, for good: once this resolves, no server writes anything for them. */
  async lock(uid: Uid): Promise<void> {
    // A rename that a crash interrupted: once the account is locked, nobody knows the earlier name.
    await this.usernames.settle(uid);
    await this.accounts.lock(uid);
    await this.access.end(uid, null);
    await this.access.endedEverywhere();
  }

  /** Deletes what an address sent before it had an account, and e-mails to or about it. @returns how many invite requests and contact messages there were */
  async eraseAddress(email: string, at: Instant): Promise<number> {
    const inquiries = await this.inquiries.eraseAddress(email, at);
    await this.emailQueue.forget(null, email);
    return inquiries;
  }

  /** Deletes an invite request or contact message that the list of erasures names. @returns false if there is none of that id */
  eraseListedInquiry(id: Id): Promise<boolean> {
    return this.inquiries.eraseListed(id);
  }

  /** Deletes all of it, including a session that started while the account was being locked. */
  async forget(uid: Uid): Promise<void> {
    await this.uploads.discardAllOf(uid);
    await this.blobs.removePrefix(`${uid}/Images`);
    const account = await this.accounts.get(uid);
    await this.access.forgetLinks(uid);
    await this.emailQueue.forget(uid, account?.body.email ?? null);
    await this.pushQueue.forget(uid);
    await this.accounts.remove(uid);
    await this.access.end(uid, null);
  }
}
