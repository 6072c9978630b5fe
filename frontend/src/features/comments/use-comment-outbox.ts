import { useQueryClient } from '@tanstack/react-query';
import { useProject } from '../../shared/project/project-context';
import type { Outbox } from '../../shared/writing/outbox';
import { useOutbox } from '../../shared/writing/writing-provider';
import { createDelivery } from './deliver-comment';
import type { NewComment } from './new-comment';

/** The outbox of the open project's comments. */
export function useCommentOutbox(): Outbox<NewComment> {
  const cache = useQueryClient();
  const { projectId } = useProject();
  return useOutbox(projectId, () => createDelivery(cache, projectId));
}
