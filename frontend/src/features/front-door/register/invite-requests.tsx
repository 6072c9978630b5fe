import type { InviteRequestState, InviteRequestView } from '@roughmix/contracts/inquiries/inquiry.view.js';
import { relativeTime } from '@roughmix/contracts/shared/relative-time.js';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { Mail } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { errorMessage, isProblem } from '../../../shared/api/api-errors';
import { useStableCallback } from '../../../shared/hooks/use-stable-callback';
import { useNow } from '../../../shared/hooks/use-now';
import { Button } from '../../../shared/ui/button';
import { EmptyState } from '../../../shared/ui/empty-state';
import { ErrorState } from '../../../shared/ui/error-state';
import { FieldError } from '../../../shared/ui/field';
import { Segmented } from '../../../shared/ui/segmented';
import { SkeletonRows } from '../../../shared/ui/skeleton';
import { When } from '../../../shared/ui/when';
import { DoneNote } from '../done-note';
import { acceptRequest, declineRequest, INVITE_REQUESTS_KEY, inviteRequestsOf, type RequestsFrom } from './inquiries.queries';
import styles from './register.module.css';
import type { AdminKey } from './use-admin-key';

const STATES: readonly { readonly id: InviteRequestState; readonly label: string }[] = [
  { id: 'open', label: 'Open' },
  { id: 'accepted', label: 'Accepted' },
  { id: 'declined', label: 'Declined' },
];

interface ListProps {
  readonly from: RequestsFrom;
  readonly adminKey: AdminKey;
}

function useAnswers({ from, adminKey }: ListProps, onSettled: () => void) {
  const cache = useQueryClient();
  const { checkError } = adminKey;
  const settle = {
    onError: checkError,
    onSettled: async () => {
      await cache.invalidateQueries({ queryKey: INVITE_REQUESTS_KEY });
      onSettled();
    },
  };
  const accept = useMutation({ mutationFn: ({ key, _id }: { readonly key: string; readonly _id: string }) => acceptRequest(key, _id), ...settle });
  const decline = useMutation({ mutationFn: (_id: string) => declineRequest(from, _id), ...settle });
  return {
    isPending: accept.isPending || decline.isPending,
    done: accept.data?.message,
    error: accept.error ?? decline.error,
    onAccept: (_id: string) => {
      const key = adminKey.take();
      decline.reset();
      if (key !== null) accept.mutate({ key, _id });
    },
    onDecline: (_id: string) => {
      accept.reset();
      decline.mutate(_id);
    },
  };
}

interface RowProps {
  readonly request: InviteRequestView;
  readonly now: number;
  readonly isPending: boolean;
  readonly onAccept: (id: string) => void;
  readonly onDecline: (id: string) => void;
}

function RequestRow({ request: { _id, email, dateAdded, state }, now, isPending, onAccept, onDecline }: RowProps) {
  const accept = state === 'accepted' ? 'Send again' : 'Accept';
  return (
    <li className={styles.row}>
      <span className={styles.who}>
        {email}
        <span className="meta">
          asked <When at={dateAdded}>{relativeTime(dateAdded, Math.max(now, dateAdded))}</When>
        </span>
      </span>
      <Button size="s" aria-label={`${accept}: ${email}`} isDisabled={isPending} onPress={() => onAccept(_id)}>
        {accept}
      </Button>
      {state === 'open' && (
        <Button size="s" variant="quiet" aria-label={`Decline: ${email}`} isDisabled={isPending} onPress={() => onDecline(_id)}>
          Decline
        </Button>
      )}
    </li>
  );
}

/** The people who asked for an invite. Accepting creates an account and e-mails a link; it needs the key. */
export function InviteRequests({ from, adminKey, takesFocus = false }: ListProps & { readonly takesFocus?: boolean }) {
  const [state, setState] = useState<InviteRequestState>('open');
  const list = useInfiniteQuery(inviteRequestsOf(from, state));
  const panel = useRef<HTMLElement>(null);
  const focus = () => panel.current?.querySelector<HTMLElement>('input:checked')?.focus({ preventScroll: true });
  const answers = useAnswers({ from, adminKey }, () => {
    // The button that was pressed is gone with its row, unless the focus has moved on.
    const active = document.activeElement;
    if (active === document.body || panel.current?.contains(active) === true) focus();
  });
  useEffect(() => {
    if (takesFocus) focus();
  }, [takesFocus]);
  const now = useNow();
  const { error } = list;
  const checkError = useStableCallback(adminKey.checkError);
  useEffect(() => checkError(error), [error, checkError]);
  const requests = list.data?.pages.flatMap(({ inviteRequests }) => inviteRequests);
  const isExplained = answers.error === null || isProblem(answers.error, 'admin.unauthorized');
  return (
    <section ref={panel} className="panel" aria-label="Invite requests">
      <div className="head">
        <h2 className="h-panel grow">Invite requests</h2>
        <Segmented label="State" options={STATES} value={state} onChange={setState} />
      </div>
      <div className={styles.notes}>
        <DoneNote>{answers.done}</DoneNote>
        {!isExplained && <FieldError>{errorMessage(answers.error)}</FieldError>}
      </div>
      {list.isPending && <SkeletonRows label="Loading invite requests" />}
      {error !== null && (
        <ErrorState onRetry={() => void list.refetch()} isPending={list.isFetching}>
          {errorMessage(error)}
        </ErrorState>
      )}
      {requests?.length === 0 && <EmptyState icon={Mail}>Nobody here.</EmptyState>}
      <ul>
        {requests?.map((request) => (
          <RequestRow key={request._id} request={request} now={now} {...answers} />
        ))}
      </ul>
      {list.hasNextPage && (
        <Button variant="quiet" isWide isPending={list.isFetchingNextPage} onPress={() => void list.fetchNextPage()}>
          Show older
        </Button>
      )}
    </section>
  );
}
