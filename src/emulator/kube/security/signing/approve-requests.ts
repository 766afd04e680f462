// Approves the client certificates of nodes by itself: for machines that bring a bootstrap token, and for nodes that
// renew their own. In: undecided requests. Out: approval, if the requester may have such a certificate.
import type { ResourceAddress, UserInfo } from '../../api.ts';
import type {
  Again,
  ControllerContext,
  ControllerFactory,
} from '../../controllers/runtime/controller.ts';
import { listAt, objectAt, stringAt } from '../../json.ts';
import type { ApiObject } from '../../object.ts';
import type { Authorizer } from '../../ports.ts';
import { signers, signingError } from './signers.ts';
import {
  certificateOf,
  conditionsOf,
  hasCondition,
  requestOf,
  signerOf,
  usagesOf,
} from './signing-request.ts';

export const signingRequests: ResourceAddress = {
  group: 'certificates.k8s.io',
  version: 'v1',
  resource: 'certificatesigningrequests',
};

const rolesAndBindings = ['clusterroles', 'clusterrolebindings'].map((resource) => ({
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  resource,
}));

export function approveSigningRequests(authorizer: Authorizer): ControllerFactory {
  return (context) => {
    const { informers, enqueue } = context;
    const requests = informers.of(signingRequests);
    requests.onChange(({ after }) => {
      if (after !== undefined && isUndecided(after)) enqueue(after.metadata.name);
    });
    // What was not allowed may be after this; the real controller finds out by trying again and again.
    for (const resource of rolesAndBindings) {
      informers.of(resource).onChange(() => {
        for (const request of requests.values()) {
          if (isUndecided(request)) enqueue(request.metadata.name);
        }
      });
    }
    return {
      name: 'csrapproving',
      reconcile(key): Again {
        const request = requests.get(key);
        if (request !== undefined && isUndecided(request)) approve(context, authorizer, request);
        return undefined;
      },
    };
  };
}

function isUndecided(request: ApiObject): boolean {
  return (
    certificateOf(request) === undefined &&
    !hasCondition(request, 'Approved') &&
    !hasCondition(request, 'Denied')
  );
}

function approve(context: ControllerContext, authorizer: Authorizer, request: ApiObject): void {
  const message = approvalMessage(authorizer, request);
  if (message === undefined) return;
  const approval = { type: 'Approved', status: 'True', reason: 'AutoApproved', message };
  const conditions = [...conditionsOf(request), approval];
  const status = { ...objectAt(request, 'status'), conditions };
  context.client.update(signingRequests, { ...request, status }, 'approval');
}

/** Undefined when the request is none of ours, or its maker may not have it. */
function approvalMessage(authorizer: Authorizer, request: ApiObject): string | undefined {
  const parsed = requestOf(request);
  if (typeof parsed === 'string' || signerOf(request) !== signers.kubeletClient) return undefined;
  if (signingError(signers.kubeletClient, parsed, usagesOf(request)) !== undefined)
    return undefined;
  const user = requesterOf(request);
  if (
    user.username === parsed.subject.commonName &&
    mayCreate(authorizer, user, 'selfnodeclient')
  ) {
    return 'Auto approving self kubelet client certificate after SubjectAccessReview.';
  }
  return mayCreate(authorizer, user, 'nodeclient')
    ? 'Auto approving kubelet client certificate after SubjectAccessReview.'
    : undefined;
}

function mayCreate(authorizer: Authorizer, user: UserInfo, subresource: string): boolean {
  const { group, resource } = signingRequests;
  return authorizer.authorize({
    user,
    verb: 'create',
    resource: { group, version: '*', resource, subresource, namespace: '', name: '' },
    path: '',
  }).allowed;
}

function requesterOf(request: ApiObject): UserInfo {
  return {
    username: stringAt(request, 'spec', 'username') ?? '',
    groups: listAt(request, 'spec', 'groups').map(String),
  };
}
