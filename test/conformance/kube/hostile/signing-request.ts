// A signing request of nobody in particular, for requests about signing requests.

export const signingRequestText = `-----BEGIN CERTIFICATE REQUEST-----
MIHMMHQCAQAwEjEQMA4GA1UEAwwHc29tZW9uZTBZMBMGByqGSM49AgEGCCqGSM49
AwEHA0IABA4zak32fknZ8+khoWHBEwXbgrJTiFjKcmuZP0QIRPc8jVdFdn21pUk9
t90tEcnR/C9xJEm4aojlq9gn/V9XgIOgADAKBggqhkjOPQQDAgNIADBFAiEAuaLU
jLFFUW/wRZnLG5kDVQQyZDbClbaZQk9DrPVn15cCICakk01W9LSuEjiNB/mArXEw
fBnwtbuYdWs4tJEhhWSg
-----END CERTIFICATE REQUEST-----
`;
