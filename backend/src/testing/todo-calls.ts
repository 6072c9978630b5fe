import type { ProjectView } from '@roughmix/contracts/projects/project.view.js';
import type { TodoEditedAnswer, TodoRemovedAnswer, TodosAnswer, TodosCompletedAnswer } from '@roughmix/contracts/todos/todo.view.js';
import type { Person } from './app.js';
import { type Answer, bodyOf } from './test-client.js';

export const edit = (who: Person, id: string, submission: object): Promise<Answer<TodoEditedAnswer>> => who.put(`/api/todos/${id}`, { submission });
export const complete = (who: Person, ids: readonly string[], submission?: object): Promise<Answer<TodosCompletedAnswer>> =>
  who.put(`/api/todos/markComplete/${ids.join(',')}`, submission === undefined ? {} : { submission });
export const remove = (who: Person, id: string): Promise<Answer<TodoRemovedAnswer>> => who.post(`/api/todos/${id}/remove`, {});
export const active = async (who: Person, ...ids: string[]) => bodyOf(await who.get<TodosAnswer>(`/api/todos/${ids.join(',')}`)).todos;
export const completed = async (who: Person, ...ids: string[]) => bodyOf(await who.get<TodosAnswer>(`/api/completedTodos/${ids.join(',')}`)).todos;
/** Which of these todos a project lists as active, and which as completed. */
export const listed = ({ todoIds, completedTodos }: ProjectView, ...ids: string[]): readonly (readonly string[])[] =>
  [todoIds, completedTodos].map((list) => list.filter((id) => ids.includes(id)));
