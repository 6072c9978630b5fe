import { Injectable } from '@nestjs/common';
import type { Id, Instant } from '@roughmix/contracts/shared/ids.js';
import { userStream } from '@roughmix/contracts/users/user.events.js';
import { ErasureRegister } from '../platform/personal-data/erasure-register.js';
import { TextErasure } from '../platform/personal-data/text-erasure.js';
import { retryWhileReadModelsLag } from '../platform/projections/retry-while-lagging.js';
import { inquiriesOf, inquiriesUntil, inquiriesWithoutKey, inquiryIn } from './inquiry.decider.js';
import { InquiryStreams } from './inquiry.streams.js';

/** Deletes invite requests and contact messages for good, in every copy of the log. */
@Injectable()
export class InquiryErasure {
  constructor(
    private readonly streams: InquiryStreams,
    private readonly register: ErasureRegister,
    private readonly texts: TextErasure,
  ) {}

  /**
   * Deletes what an address sent, and lists it, so that a restore deletes it again. The caller scrubs the stores.
   * @param email in its normal form
   * @returns how many, with those whose deletion was interrupted
   */
  async eraseAddress(email: string, at: Instant): Promise<number> {
    const state = await this.streams.state();
    // Those without a key may have been sent by this address too: nobody can tell any more.
    const [ids, interrupted] = [inquiriesOf(state, email), inquiriesWithoutKey(state)];
    for (const uid of ids) await this.register.add({ uid, at });
    return this.delete([...ids, ...interrupted]);
  }

  /** Deletes an inquiry that the list of erasures names. @returns false if there is none of that id */
  async eraseListed(id: Id): Promise<boolean> {
    return inquiryIn(await this.streams.state(), id) !== undefined && (await this.delete([id])) > 0;
  }

  /** Deletes what was sent at or before an instant. */
  async deleteUntil(until: Instant): Promise<void> {
    if ((await this.delete(inquiriesUntil(await this.streams.state(), until))) > 0) await this.texts.scrub();
  }

  /** Destroys the keys first: what a crash leaves of an inquiry without its key is found and deleted later. */
  private async delete(ids: readonly Id[]): Promise<number> {
    if (ids.length === 0) return 0;
    await this.texts.destroyKeys(ids.map(userStream));
    // A caller who repeated it would find nothing to delete any more.
    await retryWhileReadModelsLag(() => this.streams.delete(ids));
    return ids.length;
  }
}
