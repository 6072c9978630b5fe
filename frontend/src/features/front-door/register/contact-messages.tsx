import type { ContactMessageView } from '@roughmix/contracts/inquiries/inquiry.view.js';
import { relativeTime } from '@roughmix/contracts/shared/relative-time.js';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Mail } from 'lucide-react';
import { errorMessage } from '../../../shared/api/api-errors';
import { useNow } from '../../../shared/hooks/use-now';
import { Badge } from '../../../shared/ui/badge';
import { Button } from '../../../shared/ui/button';
import { EmptyState } from '../../../shared/ui/empty-state';
import { ErrorState } from '../../../shared/ui/error-state';
import { SkeletonRows } from '../../../shared/ui/skeleton';
import { When } from '../../../shared/ui/when';
import { contactMessagesQuery } from './inquiries.queries';
import styles from './register.module.css';

function Message({ message, now }: { readonly message: ContactMessageView; readonly now: number }) {
  const { firstName, lastName, company, phone, reply_to, subscribe, message_content, dateAdded } = message;
  const name = `${firstName} ${lastName}`;
  return (
    <li className={styles.message}>
      <article aria-label={`Message of ${name}`}>
        <p className="flex wrap">
          <b>{name}</b>
          <a className="link" href={`mailto:${reply_to}`}>
            {reply_to}
          </a>
          <span className="meta">{[company, phone].filter(Boolean).join(', ')}</span>
          {subscribe && <Badge>wants news</Badge>}
          <span className="meta">
            <When at={dateAdded}>{relativeTime(dateAdded, Math.max(now, dateAdded))}</When>
          </span>
        </p>
        {message_content !== '' && <p className={styles.text}>{message_content}</p>}
      </article>
    </li>
  );
}

/** What people wrote in the contact form. */
export function ContactMessages() {
  const list = useInfiniteQuery(contactMessagesQuery);
  const now = useNow();
  const messages = list.data?.pages.flatMap(({ contactMessages }) => contactMessages);
  return (
    <section className="panel" aria-label="Contact messages">
      <div className="head">
        <h2 className="h-panel grow">Contact messages</h2>
      </div>
      {list.isPending && <SkeletonRows label="Loading contact messages" />}
      {list.error !== null && (
        <ErrorState onRetry={() => void list.refetch()} isPending={list.isFetching}>
          {errorMessage(list.error)}
        </ErrorState>
      )}
      {messages?.length === 0 && <EmptyState icon={Mail}>No messages.</EmptyState>}
      <ul>
        {messages?.map((message) => (
          <Message key={message._id} message={message} now={now} />
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
