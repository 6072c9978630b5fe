import type { ChecklistItem } from '@roughmix/contracts/notifications/notification.types.js';
import type { NotificationView } from '@roughmix/contracts/notifications/notification.view.js';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Uid } from '@roughmix/contracts/shared/ids.js';
import { useLive } from '../../shared/live/live-provider';
import { useToast } from '../../shared/ui/toast-queue';
import { takeNotification } from './notification-pages';
import { notificationsOf } from './notifications.queries';

const FAILED = 'The checklist could not be saved. Are you offline?';

/** Ticks items of the welcome checklist. */
export function useChecklist(uid: Uid) {
  const live = useLive();
  const cache = useQueryClient();
  const toaster = useToast();
  const { mutate } = useMutation({
    mutationFn: async ({ item, done }: { readonly view: NotificationView; readonly item: ChecklistItem; readonly done: boolean }) => {
      const answer = await live.tickChecklist({ item, done });
      if (answer === null || !answer.ok) throw new Error(answer?.problem.detail ?? FAILED);
      return answer.checklist;
    },
    onSuccess: (checklist, { view }) =>
      void cache.setQueryData(notificationsOf(uid, cache).queryKey, (pages) => takeNotification(pages, { ...view, checklist })),
    onError: ({ message }) => toaster.show({ kind: 'failed', message }),
  });
  return (view: NotificationView, item: ChecklistItem, done: boolean) => mutate({ view, item, done });
}
