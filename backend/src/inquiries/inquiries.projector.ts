import type { InquiryEvents } from '@roughmix/contracts/inquiries/inquiry.events.js';
import type { InviteRequestState } from '@roughmix/contracts/inquiries/inquiry.view.js';
import type { Id, Position } from '@roughmix/contracts/shared/ids.js';
import { type DocumentChange, projector, type Projector, put, remove, update } from '../kernel/projector.js';
import { CONTACT_MESSAGES, type ContactMessageDocument, INVITE_REQUESTS, type InviteRequestDocument, LISTED } from './inquiries.documents.js';

const withState = (inquiryId: Id, state: InviteRequestState, position: Position): DocumentChange =>
  update<InviteRequestDocument>(INVITE_REQUESTS, inquiryId, (old) => ({ ...old, state, position }));

/** An inquiry whose key is destroyed has no document, even if a restored log lacks its deletion. */
export const inquiriesProjector: Projector = projector<InquiryEvents>(
  {
    name: 'inquiries',
    version: 1,
    collections: [
      {
        name: INVITE_REQUESTS,
        indexes: [
          { field: 'list', sort: 'addedAt' },
          { field: 'state', sort: 'addedAt' },
        ],
      },
      { name: CONTACT_MESSAGES, indexes: [{ field: 'list', sort: 'addedAt' }] },
    ],
  },
  {
    InviteRequested({ data: { inquiryId, email }, meta, position }) {
      if (email === '') return [];
      const times = { dateAdded: meta.at, addedAt: position, position };
      return [put<InviteRequestDocument>(INVITE_REQUESTS, inquiryId, { inquiryId, email, state: 'open', list: LISTED, ...times })];
    },
    InviteRequestDeclined: ({ data, position }) => [withState(data.inquiryId, 'declined', position)],
    InviteRequestAccepted: ({ data, position }) => [withState(data.inquiryId, 'accepted', position)],
    ContactMessageSent({ data, meta, position }) {
      const { replyTo, content, emailed: _emailed, ...message } = data;
      if (replyTo === '') return [];
      const times = { dateAdded: meta.at, addedAt: position, position };
      const document = { ...message, reply_to: replyTo, message_content: content, list: LISTED, ...times } as const;
      return [put<ContactMessageDocument>(CONTACT_MESSAGES, data.inquiryId, document)];
    },
    InquiriesDeleted: ({ data }) => data.inquiryIds.flatMap((id) => [remove(INVITE_REQUESTS, id), remove(CONTACT_MESSAGES, id)]),
  },
);
