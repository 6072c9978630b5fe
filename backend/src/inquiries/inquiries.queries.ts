import { Injectable } from '@nestjs/common';
import type { ContactMessagesAnswer, InviteRequestsAnswer } from '@roughmix/contracts/inquiries/inquiry.view.js';
import type { Position } from '@roughmix/contracts/shared/ids.js';
import { Refused } from '../kernel/refusal.js';
import type { FindQuery } from '../platform/documents/documents.js';
import { type Page, pageOf, type PageRequest } from '../platform/http/paging.js';
import { ReadModels } from '../platform/projections/read-models.js';
import { CONTACT_MESSAGES, type ContactMessageDocument, INVITE_REQUESTS, type InviteRequestDocument, LISTED } from './inquiries.documents.js';

const STATES: readonly string[] = ['open', 'accepted', 'declined'];
const ALL: FindQuery['where'] = { field: 'list', value: LISTED };

/** Lists of inquiries, newest first. */
@Injectable()
export class InquiriesQueries {
  constructor(private readonly reads: ReadModels) {}

  /** @param state only requests in this state @throws Refused `request.invalid` for another one */
  async inviteRequests(state: unknown, page: PageRequest): Promise<InviteRequestsAnswer> {
    const where = state === undefined ? ALL : { field: 'state', value: requireState(state) };
    const { items, next } = await this.page<InviteRequestDocument>(INVITE_REQUESTS, where, page);
    const inviteRequests = items.map(({ inquiryId, email, dateAdded, state: current, position }) => ({
      _id: inquiryId,
      email,
      dateAdded,
      state: current,
      position,
    }));
    return { inviteRequests, next };
  }

  async contactMessages(page: PageRequest): Promise<ContactMessagesAnswer> {
    const { items, next } = await this.page<ContactMessageDocument>(CONTACT_MESSAGES, ALL, page);
    return { contactMessages: items.map(({ inquiryId, list: _list, addedAt: _addedAt, ...message }) => ({ _id: inquiryId, ...message })), next };
  }

  private async page<Doc extends { readonly addedAt: Position }>(collection: string, where: FindQuery['where'], page: PageRequest): Promise<Page<Doc>> {
    const { before, limit } = page;
    // Positions are unique: the empty id is before every other one of its position.
    const after = before === null ? {} : { after: { id: '', sort: before } };
    return pageOf(await this.reads.find<Doc>(collection, { where, sort: 'descending', limit: limit + 1, ...after }), page, ({ addedAt }) => addedAt);
  }
}

function requireState(state: unknown): string {
  if (typeof state !== 'string' || !STATES.includes(state)) throw new Refused('request.invalid', { field: 'state' });
  return state;
}
