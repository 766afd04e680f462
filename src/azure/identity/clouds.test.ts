import { describe, expect, test } from 'vitest';
import { fieldsOf } from '../../base/errors.ts';
import { cloudFrom } from './clouds.ts';

const file = {
  name: 'AzureStackCloud',
  resourceManagerEndpoint: 'https://management.local.azurestack.external',
  activeDirectoryEndpoint: 'https://login.local.azurestack.external',
  tokenAudience: 'https://management.azurestack.onmicrosoft.com/guid',
};

function cloudOf(env: Record<string, string>, content: unknown = file) {
  return cloudFrom(env, () => (typeof content === 'string' ? content : JSON.stringify(content)));
}

function refusalOf(env: Record<string, string>, content?: unknown): unknown {
  try {
    return cloudOf(env, content);
  } catch (error) {
    return fieldsOf(error)['reason'];
  }
}

describe('a cloud', () => {
  test.each([
    ['', 'AzurePublicCloud', 'management.azure.com', 'login.microsoftonline.com'],
    ['AzurePublicCloud', 'AzurePublicCloud', 'management.azure.com', 'login.microsoftonline.com'],
    [' azurecloud ', 'AzurePublicCloud', 'management.azure.com', 'login.microsoftonline.com'],
    [
      'AzureUSGovernment',
      'AzureUSGovernmentCloud',
      'management.usgovcloudapi.net',
      'login.microsoftonline.us',
    ],
    [
      'AzureUSGovernmentCloud',
      'AzureUSGovernmentCloud',
      'management.usgovcloudapi.net',
      'login.microsoftonline.us',
    ],
    ['AzureChinaCloud', 'AzureChinaCloud', 'management.chinacloudapi.cn', 'login.chinacloudapi.cn'],
  ])('named %s is known', (named, name, arm, authority) => {
    const cloud = cloudOf({ ARM_CLOUD: named });
    expect(cloud).toEqual({
      name,
      armEndpoint: `https://${arm}`,
      authorityHost: `https://${authority}`,
      tokenScope: `https://${arm}//.default`,
      hasBillingExtension: true,
    });
  });

  test('of one’s own is described by a file', () => {
    expect(cloudOf({ AZURE_ENVIRONMENT_FILEPATH: '/etc/cloud.json' })).toEqual({
      name: 'AzureStackCloud',
      armEndpoint: file.resourceManagerEndpoint,
      authorityHost: file.activeDirectoryEndpoint,
      tokenScope: `${file.tokenAudience}/.default`,
      hasBillingExtension: false,
    });
  });

  test.each([
    ['an unknown name', { ARM_CLOUD: 'Mars' }, file, 'ARM_CLOUD is Mars'],
    [
      'a name and a file',
      { ARM_CLOUD: 'AzureCloud', AZURE_ENVIRONMENT_FILEPATH: '/c' },
      file,
      'both set',
    ],
    ['a relative path', { AZURE_ENVIRONMENT_FILEPATH: 'c.json' }, file, 'absolute'],
    ['no JSON', { AZURE_ENVIRONMENT_FILEPATH: '/c' }, '{', 'cannot be read'],
    [
      'no endpoint',
      { AZURE_ENVIRONMENT_FILEPATH: '/c' },
      { ...file, resourceManagerEndpoint: '' },
      'resourceManagerEndpoint',
    ],
    [
      'no directory',
      { AZURE_ENVIRONMENT_FILEPATH: '/c' },
      { ...file, activeDirectoryEndpoint: ' ' },
      'activeDirectoryEndpoint',
    ],
    [
      'no audience',
      { AZURE_ENVIRONMENT_FILEPATH: '/c' },
      { ...file, tokenAudience: undefined },
      'tokenAudience',
    ],
  ])('is refused with %s', (_, env, content, reason) => {
    expect(refusalOf(env as Record<string, string>, content)).toContain(reason);
  });
});
