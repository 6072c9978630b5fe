import { detailOf } from '@roughmix/contracts/shared/problems.js';
import type { UserErasedAnswer } from '@roughmix/contracts/users/user.view.js';
import { Refused } from '../kernel/refusal.js';
import { erasuresFileOf } from '../platform/personal-data/erasure-list.js';
import { withOfflineProgram } from './offline-program.js';
import { type OperationContext, type Operation, OperationError } from './operation.js';
import { askRunningServer } from './running-server.js';

/** Erases a user: through the running server, else on the data folder itself. */
export const usersErase: Operation = {
  name: 'users erase',
  about: 'erases a user permanently: account, names, sessions, uploads and their own projects; shared projects remain, attributed to [removed user]',
  usage: '<uid or email address>',
  options: {},
  takesNames: true,
  async run(context) {
    const [user, ...more] = context.rest;
    if (user === undefined || more.length > 0) throw new OperationError('users erase: name one user, by uid or email address');
    const { erased, removedProjects, keptProjects } = await eraseBy(context, user);
    await context.print(`erased ${erased}: ${removedProjects.length} projects removed, ${keptProjects.length} kept by other members`);
    context.log(`recorded in ${erasuresFileOf(context.config)}: store that file apart from the data and its backups, a restore needs it`);
    return 0;
  },
};

async function eraseBy({ config, security }: OperationContext, user: string): Promise<UserErasedAnswer> {
  const answer = await askRunningServer(config, { path: '/users/erase', body: { user } });
  if (answer === null) return eraseOffline({ config, security }, user);
  if (answer.status === 200) return answer.body as UserErasedAnswer;
  throw new OperationError(`users erase: ${detailIn(answer.body) ?? `the server answered ${answer.status}`}`);
}

async function eraseOffline({ config, security }: Pick<OperationContext, 'config' | 'security'>, user: string): Promise<UserErasedAnswer> {
  const { Erasures } = await import('../users/erasures.js');
  try {
    const { uid, removedProjects, keptProjects } = await withOfflineProgram(config, (program) => program.get(Erasures).erase(user), { security });
    return { erased: uid, removedProjects, keptProjects };
  } catch (error) {
    if (error instanceof Refused) throw new OperationError(`users erase: ${detailOf(error.code)}`);
    throw error;
  }
}

const detailIn = (problem: unknown): string | null =>
  typeof problem === 'object' && problem !== null && 'detail' in problem && typeof problem.detail === 'string' ? problem.detail : null;
