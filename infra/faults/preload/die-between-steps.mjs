// Kills itself (kill -9) before or after the DIE_AT-th call of the document store.
import { EmbeddedDocumentStore } from '../../../backend/dist/platform/documents/embedded-document-store.js';

let left = Number(process.env.DIE_AT);
const step = () => {
  left -= 1;
  if (left === 0) process.kill(process.pid, 'SIGKILL');
};
for (const name of ['declare', 'save', 'setFact', 'drop']) {
  const real = EmbeddedDocumentStore.prototype[name];
  EmbeddedDocumentStore.prototype[name] = async function counted(...args) {
    step();
    const answer = await real.apply(this, args);
    step();
    return answer;
  };
}
