//! Addresses: which can be driven at all, what their site is, and how one that an agent wrote is read. Strict: what
//! a browser would mend (`https:host`, backslashes) is refused, so that both read the same.

use crate::failure::Failure;

/// `scheme://host:port` of an address; none for those without a site.
pub fn site(url: &str) -> Option<String> {
    let (scheme, rest) = url.split_once("://")?;
    let scheme = scheme.to_ascii_lowercase();
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let authority = &rest[..end];
    let host = authority.rsplit('@').next().unwrap_or_default().to_ascii_lowercase();
    let readable = |c: char| c.is_alphanumeric() || "-._~:[]%".contains(c);
    if authority.contains('\\') || host.is_empty() || host.starts_with(':') || !host.chars().all(readable) {
        return None;
    }
    let has_port = host.rsplit_once(':').is_some_and(|(_, port)| port.bytes().all(|b| b.is_ascii_digit()));
    let default = if scheme == "https" { 443 } else { 80 };
    Some(if has_port { format!("{scheme}://{host}") } else { format!("{scheme}://{host}:{default}") })
}

/// An address without the name and the password that it may hold: they are nobody's to read.
pub fn bare(url: &str) -> String {
    let (scheme, rest) = url.split_once("://").map_or(("", url), |(scheme, rest)| (scheme, rest));
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    // Without a scheme before it only a password tells credentials from an address of mail.
    let secret = |at: &usize| !scheme.is_empty() || rest[..*at].contains(':') && !rest.starts_with("mailto:");
    match rest[..end].rfind('@').filter(secret) {
        Some(at) if scheme.is_empty() => rest[at + 1..].to_owned(),
        Some(at) => format!("{scheme}://{}", &rest[at + 1..]),
        None => url.to_owned(),
    }
}

/// Whether a site, as [`site`] gives it, is of this machine itself.
pub fn is_loopback(site: &str) -> bool {
    let host = site.split_once("://").map_or(site, |(_, authority)| authority);
    let host = host.rsplit_once(':').map_or(host, |(host, _)| host);
    let numbers = host.split('.').map(str::parse::<u8>).collect::<Result<Vec<_>, _>>();
    host == "localhost"
        || host.ends_with(".localhost")
        || host == "[::1]"
        || numbers.is_ok_and(|numbers| numbers.len() == 4 && numbers[0] == 127)
}

/// Whether it is an address of the web, well formed or not.
pub fn is_web(url: &str) -> bool {
    let scheme = url.split(':').next().unwrap_or_default();
    scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https")
}

/// Schemes before an address that make it one of the browser's own pages.
const BROWSER: &[&str] = &["view-source", "devtools", "chrome-search", "chrome-untrusted"];

/// Hosts of the extensions gallery, which the browser keeps to itself.
const GALLERIES: &[&str] = &["chromewebstore.google.com", "microsoftedge.microsoft.com"];

/// Whether a page of this address can be driven at all.
///
/// # Errors
/// For the browser's own pages, extensions, the gallery, files, and scripts as addresses.
pub fn drivable(url: &str) -> Result<(), Failure> {
    let refused = |why| Err(Failure::NotDrivable { url: bare(url), why });
    let scheme = url.split(':').next().unwrap_or_default().to_ascii_lowercase();
    match scheme.as_str() {
        // What a tab shows before it is anywhere, and instead of what could not be loaded.
        "" | "about" | "chrome-error" => Ok(()),
        "http" | "https" => {
            let host = site(url).unwrap_or_default();
            let host = host.split("://").nth(1).unwrap_or_default();
            let host = host.rsplit_once(':').map_or(host, |(host, _)| host);
            let path = url.split("://").nth(1).unwrap_or_default();
            if GALLERIES.contains(&host) || (host == "chrome.google.com" && path.contains("/webstore")) {
                return refused("the browser keeps the extensions gallery to itself");
            }
            Ok(())
        }
        "chrome-extension" => refused("it is a page of an extension"),
        "file" => refused("agents do not read files through the browser"),
        "javascript" | "data" | "blob" => refused("only addresses of sites can be opened"),
        _ => refused("it is one of the browser's own pages"),
    }
}

/// Reads an address that an agent gave, and completes `example.com` to `https://example.com`.
///
/// # Errors
/// When it is no address that can be opened.
pub fn address(text: &str) -> Result<String, Failure> {
    let text = text.trim();
    let bad = |why| Err(Failure::BadAddress { url: bare(text), why });
    if text.is_empty() {
        return bad("it is empty");
    }
    if text.chars().any(|c| c.is_whitespace() || c.is_control()) {
        return bad("an address has no white space");
    }
    if text == "about:blank" {
        return Ok(text.to_owned());
    }
    let head = text.split(['/', '?', '#']).next().unwrap_or_default();
    if let Some(scheme) =
        head.split_once(':').map(|(scheme, _)| scheme).filter(|scheme| BROWSER.contains(scheme))
    {
        drivable(&format!("{scheme}:"))?;
    }
    let full = if let Some((scheme, rest)) = text.split_once("://") {
        if !scheme.bytes().all(|b| b.is_ascii_alphanumeric() || b"+-.".contains(&b)) {
            return bad("its scheme does not read");
        }
        if rest.is_empty() {
            return bad("its host is missing");
        }
        text.to_owned()
    } else if head
        .split_once(':')
        .is_some_and(|(_, port)| port.is_empty() || !port.bytes().all(|b| b.is_ascii_digit()))
    {
        // `mailto:x`, `chrome:version`, `javascript:…`
        text.to_owned()
    } else {
        let host = head.split(':').next().unwrap_or_default().to_ascii_lowercase();
        let local = host == "localhost" || host.starts_with("127.") || host == "[::1]";
        if !local && !host.contains('.') {
            return bad("it has no scheme and no host");
        }
        format!("{}://{text}", if local { "http" } else { "https" })
    };
    drivable(&full)?;
    if is_web(&full) && site(&full).is_none() {
        return bad("its host does not read");
    }
    Ok(full)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let got = match address(text) {
            Ok(url) => url,
            Err(failure) => failure.code().to_owned(),
        };
        assert_eq!(got, expected, "{text}");
    }

    #[test]
    fn addresses_are_completed_or_refused_by_name() {
        check("https://a.example/x?y#z", "https://a.example/x?y#z");
        check(" a.example/x ", "https://a.example/x");
        check("localhost:8080/x", "http://localhost:8080/x");
        check("127.0.0.1", "http://127.0.0.1");
        check("LOCALHOST:8080/x", "http://LOCALHOST:8080/x");
        check("about:blank", "about:blank");
        check("", "bad_argument");
        check("hello", "bad_argument");
        check("two words.example", "bad_argument");
        check("http://", "bad_argument");
        check("https:evil.example", "bad_argument");
        check("https:/evil.example", "bad_argument");
        check("https:\\\\evil.example", "bad_argument");
        check("https://good.example\\@evil.example/", "bad_argument");
        check("https://:80/", "bad_argument");
        check("chrome://settings", "not_drivable");
        check("CHROME://settings", "not_drivable");
        check("chrome:settings", "not_drivable");
        check("javascript:alert(1)", "not_drivable");
        check("view-source:http://a.example", "not_drivable");
        check("file:///etc/passwd", "not_drivable");
        check("chrome-extension://abc/x.html", "not_drivable");
        check("https://chromewebstore.google.com/detail/x", "not_drivable");
        check("https://chrome.google.com/webstore/x", "not_drivable");
    }

    #[test]
    fn what_an_address_holds_of_credentials_is_not_told() {
        for (url, expected) in [
            ("http://user:pass@a.example/x@y", "http://a.example/x@y"),
            ("https://user@a.example", "https://a.example"),
            ("HTTP://u:p@x:q@a.example:81?w@z", "HTTP://a.example:81?w@z"),
            ("ftp://u:p@a.example", "ftp://a.example"),
            ("user:pass@a.example/x", "a.example/x"),
            ("https://a.example/@b", "https://a.example/@b"),
            ("mailto:a@b.example", "mailto:a@b.example"),
            ("about:blank", "about:blank"),
            ("", ""),
        ] {
            assert_eq!(bare(url), expected, "{url}");
        }
        for told in
            ["user:pass@a.example", "ftp://user:pass@a.example", "http://user:pass@/", "http://user:pass@a b"]
        {
            let failure = address(told).unwrap_err();
            assert!(!failure.to_string().contains("pass"), "{failure}");
        }
        assert_eq!(address("https://user:pass@a.example/").unwrap(), "https://user:pass@a.example/");
    }

    #[test]
    fn a_site_is_scheme_host_and_port() {
        assert_eq!(site("http://127.0.0.1:81/x").as_deref(), Some("http://127.0.0.1:81"));
        assert_eq!(site("https://A.example").as_deref(), Some("https://a.example:443"));
        assert_eq!(site("http://good@evil.example/").as_deref(), Some("http://evil.example:80"));
        assert_eq!(site("HTTP://LOCALHOST:81/").as_deref(), Some("http://localhost:81"));
        assert_eq!(site("HTTPS://a.example").as_deref(), Some("https://a.example:443"));
        assert_eq!(site("about:blank"), None);
        assert!(is_loopback(&site("HTTP://LocalHost/x").unwrap()));
    }
}
