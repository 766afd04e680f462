// Works out why pods of a shape are where they are not. In: a session that is through, a shape. Out: the record. It is made
// only for shapes that somebody asks about, so it may look at everything once more; it changes nothing.
// A pod fails in its weakest form, so that form is the one explained.
import { podKey } from '../../model/pod.ts';
import { toResourceList } from '../../model/resources.ts';
import type { PodShape, PodVariant } from '../compile/pod-shape.ts';
import type { Session } from '../solve/session.ts';
import type { Explanation, NodeAnswer } from './explanation.ts';
import { answerOfNode } from './node-answer.ts';
import { judgePool } from './pool-verdict.ts';

export function explainShape(session: Session, shape: PodShape): Explanation {
  const { nodes, templates, emptyPools } = session.compiled;
  const about = {
    pod: podKey(shape.example),
    requests: toResourceList(shape.exactRequests),
    dropped: shape.variants.flatMap(({ dropped }) => dropped ?? []),
    emptyPools,
  };
  const variant = shape.variants.at(-1) as PodVariant;
  if (shape.failure !== undefined) {
    return { ...about, dropped: [], failure: shape.failure, nodes: {}, pools: [] };
  }
  const answers = nodes.nodes.map((_, node) => answerOfNode(session, node, { shape, variant }));
  return {
    ...about,
    nodes: counted(answers),
    pools: templates.map((template) => judgePool(session, template, { shape, variant })),
  };
}

function counted(answers: readonly NodeAnswer[]): Partial<Record<NodeAnswer, number>> {
  const counts: Partial<Record<NodeAnswer, number>> = {};
  for (const answer of answers) counts[answer] = (counts[answer] ?? 0) + 1;
  return counts;
}
