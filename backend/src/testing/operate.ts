import type { operate as compiledOperate } from '../operations/operate.js';
import { compiled } from './compiled.js';

/** Runs an operation of the compiled program in this process. */
export const operate: typeof compiledOperate = async (...all) => {
  const module = await compiled<typeof import('../operations/operate.js')>('operations/operate.js');
  return module.operate(...all);
};
